const MAX_REMEMBERED = 16;

/** The last message received from each page load, so that a page that connects again repeats nothing. */
export class SequenceDeduplicator {
  private readonly last = new Map<string, number>();

  /** The number of the last message of this page load. Page loads that are connected are never forgotten. */
  lastSeq(instanceId: string, connected: ReadonlySet<string | undefined>): number {
    const seq = this.last.get(instanceId) ?? 0;
    this.last.delete(instanceId);
    this.last.set(instanceId, seq);
    for (const oldest of this.last.keys()) {
      if (this.last.size <= MAX_REMEMBERED) break;
      if (!connected.has(oldest)) this.last.delete(oldest);
    }
    return seq;
  }

  /** False for a message that was received before. Messages without a number are always new. */
  isNew(instanceId: string | undefined, seq: number | undefined): boolean {
    if (instanceId === undefined || seq === undefined) return true;
    if (seq <= (this.last.get(instanceId) ?? 0)) return false;
    this.last.set(instanceId, seq);
    return true;
  }

  /** What it remembers, for a hub that continues the session. */
  snapshot(): [instanceId: string, seq: number][] {
    return [...this.last];
  }

  restore(remembered: readonly (readonly [instanceId: string, seq: number])[]): void {
    for (const [instanceId, seq] of remembered) this.last.set(instanceId, seq);
  }
}
