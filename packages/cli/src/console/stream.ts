import { stripControlCharacters, type TimelineRecord } from "@debug-bridge/protocol";
import type { RunningHub } from "../running-hub.js";
import { CONSOLE_RECORDS } from "./line.js";

/** The hub has sent all earlier records; what follows is new. */
export const CAUGHT_UP = "caught_up";

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
  hub: RunningHub,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<TimelineRecord> {
  const query = `types=${CONSOLE_RECORDS.join(",")}&since=${Math.floor(since)}`;
  const body = await hub.stream(`/v1/stream?${query}`, signal);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  while (true) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").find((part) => part.startsWith("data: "));
      if (data) yield parseRecord(data.slice("data: ".length));
    }
  }
}
