import { BridgeError, type BrowserInstruction } from "@debug-bridge/protocol";

/** Instructions that only look at the page. */
const LOOKING: ReadonlySet<BrowserInstruction["type"]> = new Set([
  ...(["screenshot", "wait", "diagnose", "observe"] as const),
]);
const NAVIGATING: ReadonlySet<BrowserInstruction["type"]> = new Set(["start", "navigate"]);

/** Whether an error is listed in `retryOnErrors`. What a page's own code throws never is. */
export function isListed(thrown: unknown, retryOnErrors: readonly string[]): boolean {
  if (thrown instanceof BridgeError && thrown.code !== "internal" && thrown.code !== "outcome_unknown")
    return false;
  const { name, message } = thrown instanceof Error ? thrown : { name: "", message: String(thrown) };
  const text = `${name}: ${message}`.toLowerCase();
  return retryOnErrors.some((part) => text.includes(part.toLowerCase()));
}

/**
 * Whether an instruction can be sent again when nobody knows how it ended. Looking can. Opening a page can, as long as
 * nothing was done in the browser that was lost. A click or a text might be done twice.
 */
export function isSafeToRepeat(type: BrowserInstruction["type"], hasActed: boolean): boolean {
  return LOOKING.has(type) || (NAVIGATING.has(type) && !hasActed);
}

/** Whether an instruction changes the page beyond opening one. */
export function isAct(type: BrowserInstruction["type"]): boolean {
  return !LOOKING.has(type) && !NAVIGATING.has(type) && type !== "stop" && type !== "switch";
}
