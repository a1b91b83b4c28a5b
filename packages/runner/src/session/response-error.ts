import { BridgeError, type BrowserResponse, truncate } from "@debug-bridge/protocol";
import { type ErrorContext, explain } from "../diagnosis/catalogue.js";

type ResponseError = NonNullable<BrowserResponse["error"]>;

/** Errors that are about how the browser is steered, whatever words they hold. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  "target_not_found",
  "ambiguous_target",
  "stale_ref",
  "not_actionable",
  "invalid_message",
  "unknown_type",
  "too_large",
  "session_not_found",
  "not_supported",
]);

/** An error for the response: with its code, its kind, and what to do about it. */
export function responseError(thrown: unknown, context: ErrorContext): ResponseError {
  const message = truncate(thrown instanceof Error ? thrown.message : String(thrown), 20_000);
  const known = thrown instanceof BridgeError ? thrown : undefined;
  if (known && OWN_WORDS.has(known.code)) {
    return { code: known.code, message, details: { ...known.details, category: "automation" } };
  }
  const explanation = explain(thrown instanceof Error ? `${thrown.name}: ${message}` : message, context);
  const { id, category, hint } = explanation;
  const isPage = known?.code === "evaluation_failed";
  return {
    code: known && known.code !== "internal" ? known.code : explanation.code,
    message,
    hint: isPage && id === "unknown" ? "The code itself threw: correct it and send it again" : hint,
    details: { ...known?.details, category: isPage ? "javascript" : category, cause: id },
  };
}
