/** Something that keeps bytes and can release some. */
export interface Holder {
  /** Bytes that it keeps now. */
  measure(): number;
  /** Releases a good part of them. */
  release(): void;
}

/**
 * A number of bytes that many holders share. When they keep more together, the one that keeps the most lets go first, so
 * that nobody loses anything because of somebody else who keeps more.
 */
export class ByteBudget {
  private readonly known = new Map<Holder, number>();
  private sum = 0;
  private isRelieving = false;

  constructor(private readonly limit: number) {}

  /** What the holders keep together, as far as they reported it. */
  get total(): number {
    return this.sum;
  }

  /** Reports what a holder keeps now. */
  update(holder: Holder, bytes: number): void {
    this.sum += bytes - (this.known.get(holder) ?? 0);
    if (bytes > 0) this.known.set(holder, bytes);
    else this.known.delete(holder);
    if (this.sum > this.limit && !this.isRelieving) this.relieve();
  }

  remove(holder: Holder): void {
    this.update(holder, 0);
  }

  private relieve(): void {
    this.isRelieving = true;
    try {
      // What was reported may be out of date: holders can shrink without a report.
      for (const holder of [...this.known.keys()]) this.update(holder, holder.measure());
      while (this.sum > this.limit) {
        const largest = this.largest();
        const before = this.sum;
        largest?.release();
        if (largest) this.update(largest, largest.measure());
        if (this.sum >= before) return;
      }
    } finally {
      this.isRelieving = false;
    }
  }

  private largest(): Holder | undefined {
    let found: Holder | undefined;
    let most = 0;
    for (const [holder, bytes] of this.known) {
      if (bytes <= most) continue;
      found = holder;
      most = bytes;
    }
    return found;
  }
}
