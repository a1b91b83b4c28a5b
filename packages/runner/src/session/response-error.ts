import { BridgeError, type BrowserResponse, truncate } from "@debug-bridge/protocol";
import { type ErrorContext, explain } from "../diagnosis/catalogue.js";

type ResponseError = NonNullable<BrowserResponse["error"]>;

/** Errors about how the browser is used. Their messages are complete, so the catalogue is not applied to them. */
const SELF_EXPLAINING: ReadonlySet<string> = new Set([
  "target_not_found",
  "ambiguous_target",
  "stale_ref",
  "not_actionable",
  "invalid_message",
  "unknown_type",
  "too_large",
  "session_not_found",
  "not_supported",
  "lease_held",
  "read_only",
  "eval_disabled",
]);

/** What the hub's policy answers to a command that a client may not send now. */
const REFUSALS: ReadonlySet<string> = new Set(["lease_held", "read_only", "eval_disabled"]);

/** Whether the hub refused a command, so that nothing happened on the page. */
export const isRefusal = (error: { readonly code: string } | undefined): boolean =>
  error !== undefined && REFUSALS.has(error.code);

/** An error for the response: with its code, its category, and what to do about it. */
export function responseError(thrown: unknown, context: ErrorContext): ResponseError {
  const message = truncate(thrown instanceof Error ? thrown.message : String(thrown), 20_000);
  const known = thrown instanceof BridgeError ? thrown : undefined;
  if (known && SELF_EXPLAINING.has(known.code)) {
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
