import { BridgeError, type BrowserResponse, type ErrorCode, truncate } from "@debug-bridge/protocol";
import { type ErrorContext, explain, explainOwnError } from "../diagnosis/catalogue.js";

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

/** What to do about them. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  target_not_found:
    "Send observe to see what the page shows, and name the element by its text or ref. If it comes later, send wait first",
  ambiguous_target: "Name one of error.details.candidates by its ref, or add words that only one of them has",
  stale_ref: "Send observe to get the refs of the page as it is now",
  not_actionable:
    "Take a screenshot or send observe: close what covers the element, or wait until it is enabled, then send the action again",
  invalid_message: "Correct the field that error.message names and send the instruction again",
  unknown_type: "Use one of the actions that error.message lists",
  too_large: "Ask for less: a part of the page, a lower quality, or fewer files",
  session_not_found: "Send start with a url",
  not_supported: "This cannot be done here; error.message says what is missing and who can change it",
  lease_held: "Another client acts on this page now: wait until it is done, or ask its person",
  read_only: "The hub was started with --read-only: looking works, acting does not",
  eval_disabled: "Use click, type and the other actions instead of evaluate",
};

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
    const hint = HINTS[known.code];
    return {
      ...{ code: known.code, message, details: { ...known.details, category: "automation" } },
      ...(hint === undefined ? {} : { hint }),
    };
  }
  const text = thrown instanceof Error ? `${thrown.name}: ${message}` : message;
  const explanation = known ? explain(text, context) : explainOwnError(text, context);
  const { id, category, hint } = explanation;
  const isPage = known?.code === "evaluation_failed";
  return {
    code: known && known.code !== "internal" ? known.code : explanation.code,
    message,
    hint: isPage && id === "unknown" ? "The code itself threw: correct it and send it again" : hint,
    details: { ...known?.details, category: isPage ? "javascript" : category, cause: id },
  };
}
