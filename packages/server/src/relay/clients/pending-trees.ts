/**
 * Frame trees that a client requested and has not received yet. Clients ignore contexts of frames that they do not know,
 * so events that the relay sends from memory wait for the tree.
 */
export class PendingTrees {
  private count = 0;
  private waiting: (() => void)[] = [];

  requested(): void {
    this.count++;
  }

  answered(): void {
    if (--this.count > 0) return;
    const { waiting } = this;
    this.waiting = [];
    for (const run of waiting) run();
  }

  /** Runs now, or after the trees that the client still waits for. */
  whenKnown(run: () => void): void {
    if (this.count > 0) this.waiting.push(run);
    else run();
  }
}
