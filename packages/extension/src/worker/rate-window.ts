import { CONSOLE_LIMITS } from "@debug-bridge/protocol";

const SECOND_MS = 1_000;
const { batchAbovePerSecond: BATCH_ABOVE, dropAbovePerSecond: DROP_ABOVE } = CONSOLE_LIMITS;

/** What to do with an event of a tab. */
export type Verdict = "alone" | "batch" | "drop";

/**
 * Counts the events of one tab by the time at which they happened, so that what was kept while the hub was away does
 * not look like a flood. Warnings and errors have an allowance of their own, so that logs go first.
 */
export class RateWindow {
  private began = 0;
  private plain = 0;
  private urgent = 0;

  judge(at: number, isUrgent: boolean): Verdict {
    // A clock that was set back begins a new second, too.
    if (at - this.began >= SECOND_MS || at < this.began - SECOND_MS) {
      this.began = at;
      this.plain = 0;
      this.urgent = 0;
    }
    const all = this.plain + this.urgent;
    if (isUrgent ? this.urgent >= DROP_ABOVE : all >= DROP_ABOVE) return "drop";
    if (isUrgent) this.urgent++;
    else this.plain++;
    return all >= BATCH_ABOVE ? "batch" : "alone";
  }
}
