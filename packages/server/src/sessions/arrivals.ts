/** How long after a page was left the next one is expected. */
const EXPECTED_MS = 5_000;

/**
 * Knows whether a page is about to come. A page that is left for another takes its connection with it; until the next
 * one says hello, nobody is there, and agents that act at once would have to try again.
 */
export class Arrivals {
  private expectedUntil = 0;
  private readonly waiting = new Set<() => void>();

  /** A page went away, as pages do that are followed by another. */
  noteLeft(): void {
    this.expectedUntil = performance.now() + EXPECTED_MS;
  }

  noteArrived(): void {
    this.expectedUntil = 0;
    for (const arrived of this.waiting) arrived();
  }

  /** Resolves when the page that is expected has come, or is not expected any longer; at once when none is. */
  expected(mostMs = EXPECTED_MS): Promise<void> {
    return this.next(Math.min(this.expectedUntil - performance.now(), mostMs));
  }

  /** Resolves when a page comes, or after `mostMs`. */
  next(mostMs: number): Promise<void> {
    if (mostMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, mostMs);
      timer.unref();
      this.waiting.add(done);
    });
  }
}
