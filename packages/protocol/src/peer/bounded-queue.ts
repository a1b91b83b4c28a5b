export interface QueueLimits {
  readonly maxItems: number;
  /** Sum of the sizes of all items. */
  readonly maxSize: number;
}

export interface Queued<Item> {
  readonly seq: number;
  readonly item: Item;
  readonly size: number;
  readonly urgent: boolean;
}

/** Sequence numbers that can no longer be delivered, first and last included. */
export interface LostRange {
  readonly from: number;
  readonly to: number;
}

/**
 * A numbered queue that is bounded by count and by size. Items stay until they are confirmed. When it is full, the
 * oldest item that is not urgent is dropped, and an urgent one only when there is no other. What waits for a slow or absent
 * peer waits here; only the SDK has a smaller ring (`browser/src/connection/ring.ts`).
 */
export class BoundedQueue<Item> {
  private items: Queued<Item>[] = [];
  private size = 0;
  private nextSeq = 1;
  private droppedCount = 0;

  constructor(private readonly limits: QueueLimits) {}

  get length(): number {
    return this.items.length;
  }

  /** Number of the newest item; 0 before the first. */
  get lastSeq(): number {
    return this.nextSeq - 1;
  }

  /** Adds an item. `make` receives its number. The newest item is never dropped, however large it is. */
  add(make: (seq: number) => Item, sizeOf: (item: Item) => number, urgent = false): Queued<Item> {
    const seq = this.nextSeq++;
    const item = make(seq);
    const queued = { seq, item, size: sizeOf(item), urgent };
    this.items.push(queued);
    this.size += queued.size;
    while (
      this.items.length > 1 &&
      (this.items.length > this.limits.maxItems || this.size > this.limits.maxSize)
    )
      this.dropOne();
    return queued;
  }

  /** Forgets every item up to `seq`: it has arrived. */
  confirm(seq: number): void {
    let count = 0;
    for (const { seq: own, size } of this.items) {
      if (own > seq) break;
      this.size -= size;
      count++;
    }
    if (count > 0) this.items = this.items.slice(count);
  }

  /** What a peer that has everything up to `seq` still needs, and what it can no longer get. */
  after(seq: number): { readonly items: readonly Queued<Item>[]; readonly lost: LostRange | undefined } {
    const items = this.items.filter((queued) => queued.seq > seq);
    const first = items[0]?.seq ?? this.nextSeq;
    return { items, lost: first > seq + 1 ? { from: seq + 1, to: first - 1 } : undefined };
  }

  /** How many items were dropped since the last call. */
  drainDropped(): number {
    const count = this.droppedCount;
    this.droppedCount = 0;
    return count;
  }

  private dropOne(): void {
    const normal = this.items.findIndex(({ urgent }, index) => !urgent && index < this.items.length - 1);
    const [dropped] = this.items.splice(Math.max(normal, 0), 1);
    this.size -= dropped?.size ?? 0;
    this.droppedCount++;
  }
}
