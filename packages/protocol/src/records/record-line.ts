import type { SourceLocation } from "../console/record.js";
import { AGENT_LINES } from "./agent-lines.js";
import { type Fields, fieldsOf, oneLine, textOf } from "./fields.js";
import { PAGE_LINES } from "./page-lines.js";
import { servedNote } from "./served-note.js";

/** `action` is what a client did; `debug` is frequent and of little interest. */
export type RecordLevel = "error" | "warn" | "action" | "info" | "debug";

/** One record for a reader: its severity, its text, and where in the code it happened. */
export interface RecordLine {
  readonly level: RecordLevel;
  /** Plain text on one line. A page or an agent wrote parts of it: fence or strip it before it leaves. */
  readonly text: string;
  /** What kind of line it is, if the text alone does not show it: `console.warn`, `error`. */
  readonly label?: string;
  readonly location?: SourceLocation;
}

/** A record as it comes from the hub or from a file. */
export interface ReadableRecord {
  readonly type: string;
  readonly data?: unknown;
}

/** Describes the data of one type of record. */
export type LineOf = (data: Fields) => RecordLine;

const MAX_TEXT = 2_000;
const MAX_UNKNOWN = 300;

/**
 * Turns any record of any session into one line of text. The only implementation of the project: MCP, dashboard and
 * command line all call it.
 *
 * @example recordLine({ type: "gap", data: { dropped: 3, reason: "too many events" } }).text // "3 events are missing: too many events"
 */
export function recordLine({ type, data }: ReadableRecord): RecordLine {
  const fields = fieldsOf(data);
  const describe = lookUp(type, fields);
  const line = describe ? describe(fields) : { level: "debug" as const, text: unknownText(data, fields) };
  return { ...line, text: oneLine(line.text, MAX_TEXT) };
}

/**
 * The line with its label and its place in the code: `console.warn: low stock (http://localhost/shop.js:41:9)`. `written` is
 * the place where that code was written, if it is known; else the line says which places are those of a file as it is served.
 */
export function fullRecordLine(record: ReadableRecord, written?: SourceLocation): string {
  const { text, label, location: runs } = recordLine(record);
  const location = written ?? runs;
  const note = written || !runs ? "" : servedNote(runs.url);
  const place = location ? ` (${oneLine(location.url, 200)}:${location.line}:${location.column}${note})` : "";
  return `${label === undefined ? "" : `${label}: `}${text}${place}`;
}

/** Whether a record reports something that went wrong: an error, a warning, a failed request, a gap. */
export function isProblem(record: ReadableRecord): boolean {
  const { level } = recordLine(record);
  return level === "error" || level === "warn";
}

/** Agents and pages both have records of the type `error`; those of pages say what captured them. */
function lookUp(type: string, fields: Fields): LineOf | undefined {
  const isAgentError = type === "error" && fields.source === undefined;
  const tables = isAgentError ? [AGENT_LINES] : [PAGE_LINES, AGENT_LINES];
  return tables.find((table) => Object.hasOwn(table, type))?.[type];
}

function unknownText(data: unknown, { omitted }: Fields): string {
  if (typeof omitted === "number") return `${omitted} characters`;
  const text = data === undefined ? "" : textOf(data);
  return oneLine(text === "{}" ? "" : text, MAX_UNKNOWN);
}
