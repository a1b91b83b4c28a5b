import type { Receipt } from "@debug-bridge/protocol";
import type { ReceiptContext } from "../receipt/receipt.js";
import type { BodyOf } from "../telemetry.js";
import { compareFields, type FieldContent } from "./filled-fields.js";

const MAX_LOST = 20;

/** How much of what the page held before an edit it still holds: filled fields, and the app's own state. */
export function stateAfter(
  fields: readonly FieldContent[],
  { state: changes = [] }: Pick<Receipt, "state">,
  { view, state }: ReceiptContext,
): Pick<BodyOf<"edit_effect">, "kept" | "lost"> {
  const now = compareFields(fields, view.page);
  const changed = new Set(changes.map(({ scope }) => scope));
  const kept = now.kept + Object.keys(state.all()).filter((scope) => !changed.has(scope)).length;
  const lost = [...now.lost, ...[...changed].map((scope) => `state "${scope}"`)].slice(0, MAX_LOST);
  return { ...(kept > 0 ? { kept } : {}), ...(lost.length > 0 ? { lost } : {}) };
}
