import { CONSOLE_LIMITS } from "@debug-bridge/protocol";
import { now } from "./natives.js";

const WINDOW_MS = 1_000;
const MOST = CONSOLE_LIMITS.dropAbovePerSecond;

/**
 * Lets so many events of a document through per second; the rest is only counted, so that a flood costs the page
 * nothing. Warnings and errors have an allowance of their own: logs never use theirs up.
 */
export class RateGate {
  private began = 0;
  private plain = 0;
  private urgent = 0;
  private missed = 0;
  /** Called for the first event that is dropped after each `takeDropped`. */
  onDropping: () => void = () => {};

  passes(isUrgent: boolean): boolean {
    const at = now();
    if (at - this.began >= WINDOW_MS) {
      this.began = at;
      this.plain = 0;
      this.urgent = 0;
    }
    if (isUrgent ? this.urgent < MOST : this.plain + this.urgent < MOST) {
      if (isUrgent) this.urgent++;
      else this.plain++;
      return true;
    }
    if (this.missed++ === 0) this.onDropping();
    return false;
  }

  /** How many were dropped since the last time. */
  takeDropped(): number {
    const dropped = this.missed;
    this.missed = 0;
    return dropped;
  }
}
