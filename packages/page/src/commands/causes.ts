import type { CommandOf, CommandOutcome } from "@debug-bridge/protocol";
import type { TelemetryCapture } from "../capture/telemetry-capture.js";
import { type KeptChains, keepChains } from "../causes/keep-chains.js";
import type { CommandContext } from "./run-command.js";

/** What each page keeps now, and why it stopped. */
const kept = new WeakMap<TelemetryCapture, KeptChains>();

/** Answers `keep_chains`. A page that stopped by itself stays stopped: asking again would cost it the same again. */
export function causes({ forMs }: CommandOf<"keep_chains">, { capture }: CommandContext): CommandOutcome {
  const before = kept.get(capture);
  if (before?.stopped !== undefined) return { value: { stopped: before.stopped } };
  if (forMs === 0) {
    before?.end();
    kept.delete(capture);
    return { value: {} };
  }
  const chains = before ?? keepChains(capture);
  kept.set(capture, chains);
  chains.endAfter(forMs, () => kept.delete(capture));
  return { value: { since: chains.since } };
}
