import { CAUGHT_UP, type HubClient } from "@debug-bridge/client";
import { stripControlCharacters, type TimelineRecord } from "@debug-bridge/protocol";
import { CONSOLE_RECORDS } from "./line.js";

export { CAUGHT_UP };

/** JSON escapes control characters, except those of C1. */
const MAY_BE_UNSAFE = /\\u00[01]|\\[bf]|[\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\\u00[789]|\\u20[26]/i;

/** Parses one record and removes control characters, so that nothing in it can control a terminal. */
export function parseRecord(json: string): TimelineRecord {
  const record = JSON.parse(json) as TimelineRecord;
  return MAY_BE_UNSAFE.test(json) ? (stripAll(record) as TimelineRecord) : record;
}

function stripAll(value: unknown): unknown {
  if (typeof value === "string") return stripControlCharacters(value);
  if (Array.isArray(value)) return value.map(stripAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [stripControlCharacters(key), stripAll(each)]),
  );
}

/** Console records of all sessions, oldest first: those since a time, `caught_up`, then those that follow. */
export async function* consoleRecords(
  hub: HubClient,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<TimelineRecord> {
  for await (const text of hub.recordTexts({ types: CONSOLE_RECORDS, since, signal }))
    yield parseRecord(text);
}
