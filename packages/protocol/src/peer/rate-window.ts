const WINDOW_MS = 1_000;

/**
 * Counts events per second by the time at which they happened, so that a backlog does not look like a flood. Urgent
 * events (warnings and errors) have a separate allowance, so that others are dropped first.
 */
export class RateWindow {
  private startedAt = 0;
  private normal = 0;
  private urgent = 0;

  constructor(private readonly maxPerSecond: number) {}

  /**
   * Counts an event that may pass, and returns how many passed before it in this second; -1 when it must be dropped.
   */
  admit(at: number, isUrgent: boolean): number {
    // A clock that was set back also starts a new second.
    if (at - this.startedAt >= WINDOW_MS || at < this.startedAt - WINDOW_MS) {
      this.startedAt = at;
      this.normal = 0;
      this.urgent = 0;
    }
    const passed = this.normal + this.urgent;
    if ((isUrgent ? this.urgent : passed) >= this.maxPerSecond) return -1;
    if (isUrgent) this.urgent++;
    else this.normal++;
    return passed;
  }
}
