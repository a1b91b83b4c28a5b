import { truncate } from "../text/text.js";

/** Data of a record as it may come out of any file or wire: nothing about it is certain. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(data: unknown): Fields {
  return typeof data === "object" && data !== null ? (data as Fields) : {};
}

/** A value as text: strings as they are, everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A value that should be a word or a number; `missing` for anything else. */
export function wordOf(value: unknown, missing = "?"): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : missing;
}

export function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** A duration behind a text: ` in 12 ms`. */
export function durationOf(value: unknown): string {
  return typeof value === "number" ? ` in ${Math.round(value)} ms` : "";
}

/** At most `max` characters on one line. */
export function oneLine(text: string, max: number): string {
  const head = text.length > max * 10 ? text.slice(0, max * 10) : text;
  return truncate(head.replaceAll(/\s+/g, " ").trim(), max);
}
