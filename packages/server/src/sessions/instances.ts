const MOST_REMEMBERED = 16;

/** How far the messages of each page load were received, so that a resumed connection repeats nothing. */
export class Instances {
  private readonly last = new Map<string, number>();

  lastSeq(instanceId: string): number {
    const seq = this.last.get(instanceId);
    if (seq === undefined) this.remember(instanceId, 0);
    return seq ?? 0;
  }

  /** False for a message that was received before. Messages without a number are always new. */
  isNew(instanceId: string | undefined, seq: number | undefined): boolean {
    if (instanceId === undefined || seq === undefined) return true;
    if (seq <= (this.last.get(instanceId) ?? 0)) return false;
    this.last.set(instanceId, seq);
    return true;
  }

  private remember(instanceId: string, seq: number): void {
    this.last.set(instanceId, seq);
    if (this.last.size > MOST_REMEMBERED) this.last.delete(this.last.keys().next().value as string);
  }
}
