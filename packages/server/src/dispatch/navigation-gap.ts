/** How long after a page was left the next one is expected. */
const NEXT_PAGE_TIMEOUT_MS = 5_000;

/**
 * The time between two pages of a session. A page that is left for another takes its connection with it. Until the next
 * one sends `hello` no page is connected, and without this every command in between would fail.
 */
export class NavigationGap {
  private expectedUntil = 0;
  private readonly waiting = new Set<() => void>();

  /** A page went away in the way of pages that are followed by another. */
  onPageLeft(): void {
    this.expectedUntil = performance.now() + NEXT_PAGE_TIMEOUT_MS;
  }

  onPageArrived(): void {
    this.expectedUntil = 0;
    for (const arrived of this.waiting) arrived();
  }

  /** Whether a page was left a moment ago, and the next one has not arrived. */
  get isExpecting(): boolean {
    return performance.now() < this.expectedUntil;
  }

  /** Resolves when the expected page arrived, or is no longer expected; at once when none is. */
  waitForExpected(maxMs = NEXT_PAGE_TIMEOUT_MS): Promise<void> {
    return this.waitForNext(Math.min(this.expectedUntil - performance.now(), maxMs));
  }

  /** Resolves when a page arrives, or after `maxMs`. */
  waitForNext(maxMs: number): Promise<void> {
    if (maxMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, maxMs);
      timer.unref();
      this.waiting.add(done);
    });
  }
}
