import type { TimelineColumns } from "./columns.js";
import { factsOf, parseOrNothing } from "./source.js";

/** The members before `data`, in the order in which a hub writes them. */
const HEAD =
  /^\{"type":"([^"\\]{1,100})","timestamp":"([^"\\]{1,40})","sessionId":"(?:[^"\\]|\\.){0,1000}","sequence":(\d{1,15})(?:,"causedBy":(\d{1,10}))?,/;

/** Adds the facts of a line of JSON to the columns. It may come from anywhere: false for a line that is not a record. */
export function addLine(columns: TimelineColumns, text: string, offset: number): boolean {
  const head = HEAD.exec(text);
  if (!head) return addForeign(columns, parseOrNothing(text), offset);
  const [, type = "", timestamp = "", sequence = "0", cause = "0"] = head;
  const data = (): unknown => (parseOrNothing(text) as { data?: unknown } | undefined)?.data;
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return false;
  columns.push({ ...factsOf(type, data), sequence: Number(sequence), at, cause: Number(cause), offset });
  return true;
}

/** A line with its members in another order, as other programs write it. */
function addForeign(columns: TimelineColumns, value: unknown, offset: number): boolean {
  const { type, timestamp, sequence, causedBy, data } = (
    typeof value === "object" && value !== null ? value : {}
  ) as Record<string, unknown>;
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  if (typeof type !== "string" || Number.isNaN(at)) return false;
  const facts = factsOf(type, () => data);
  const numbered = Number.isSafeInteger(sequence) ? (sequence as number) : 0;
  const cause = Number.isSafeInteger(causedBy) && (causedBy as number) > 0 ? (causedBy as number) : 0;
  columns.push({ ...facts, sequence: numbered, at, cause, offset });
  return true;
}
