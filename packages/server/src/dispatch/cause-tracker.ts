/**
 * Knows which command causes what a page reports now: the one that runs. While several run at once it is
 * unknown which of them it was, and then there is no cause.
 */
export class CauseTracker {
  private readonly running = new Set<number>();

  /** Sequence of the record of the only command that runs; `undefined` when none runs, or several. */
  current: number | undefined;

  /** A command begins to act; `sequence` is that of its record. */
  begin(sequence: number): void {
    this.running.add(sequence);
    this.update();
  }

  end(sequence: number): void {
    if (this.running.delete(sequence)) this.update();
  }

  private update(): void {
    this.current = this.running.size === 1 ? this.running.values().next().value : undefined;
  }
}
