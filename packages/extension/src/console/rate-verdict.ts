import { CONSOLE_RATE_LIMITS, type RateWindow } from "@debug-bridge/protocol";

/** What to do with an event of a tab. */
export type RateVerdict = "alone" | "batch" | "drop";

/** Counts an event of a tab, and decides whether it is sent alone, in a batch, or not at all. */
export function judgeRate(window: RateWindow, at: number, isUrgent: boolean): RateVerdict {
  const passed = window.admit(at, isUrgent);
  if (passed < 0) return "drop";
  return passed >= CONSOLE_RATE_LIMITS.batchAbovePerSecond ? "batch" : "alone";
}
