import { BridgeError } from "@debug-bridge/protocol";

/** Whether an error is one of those that are tried again. What a page's own code throws never is. */
export function isListed(thrown: unknown, retryOnErrors: readonly string[]): boolean {
  if (thrown instanceof BridgeError && thrown.code !== "internal" && thrown.code !== "outcome_unknown")
    return false;
  const { name, message } = thrown instanceof Error ? thrown : { name: "", message: String(thrown) };
  const text = `${name}: ${message}`.toLowerCase();
  return retryOnErrors.some((part) => text.includes(part.toLowerCase()));
}
