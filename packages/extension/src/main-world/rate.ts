import { now } from "@debug-bridge/page/inert";
import { CONSOLE_RATE_LIMITS, RateWindow } from "@debug-bridge/protocol";

/** Limits the events of a document per second. The rest is only counted, so that a flood costs the page nothing. */
export class RateGate {
  private readonly window = new RateWindow(CONSOLE_RATE_LIMITS.dropAbovePerSecond);
  private missed = 0;
  /** Called for the first event that is dropped after each `drainDropped`. */
  onDropping: () => void = () => {};

  passes(isUrgent: boolean): boolean {
    if (this.window.admit(now(), isUrgent) !== -1) return true;
    if (this.missed++ === 0) this.onDropping();
    return false;
  }

  /** How many were dropped since the last call. */
  drainDropped(): number {
    const dropped = this.missed;
    this.missed = 0;
    return dropped;
  }
}
