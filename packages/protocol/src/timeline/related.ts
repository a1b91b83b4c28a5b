import { RECORD_KINDS } from "../records/record-facts.js";
import type { TimelineRecord } from "../schema/timeline.js";
import { parseOrNothing, type TimelineSource } from "./source.js";

/** How many records before and after one are looked at for what belongs to it. */
const MAX_LOOKED_AT = 2_000;
const MAX_RELATED = 50;
const MAX_CAUSES = 20;

/** The record at a position; `undefined` when it is not kept, or is not one. */
export function readRecord(source: TimelineSource, position: number): TimelineRecord | undefined {
  const value = parseOrNothing(source.read(position) ?? "");
  return typeof value === "object" && value !== null ? (value as TimelineRecord) : undefined;
}

/** Positions of the cause of a record, of the cause of that, and so on. */
export function causesOf({ columns }: TimelineSource, position: number): number[] {
  const found: number[] = [];
  for (let at = position; found.length < MAX_CAUSES; ) {
    const cause = columns.causes[at] as number;
    const next = cause === 0 ? -1 : columns.positionOf(cause);
    // A cause comes before its effect; a file may say otherwise.
    if (next === -1 || next >= at) return found;
    found.push(next);
    at = next;
  }
  return found;
}

/** The other records of the same request, the result of a command or an edit, the earlier state of the same scope. */
export function relatedTo(
  source: TimelineSource,
  position: number,
  record: TimelineRecord,
): TimelineRecord[] {
  const fields = (record.data ?? {}) as { id?: unknown; scope?: unknown };
  switch (record.type) {
    case "network":
      // Pages count their requests from the start: only those of the same page load.
      return around(
        source,
        position,
        ({ type, data, instanceId }) =>
          type === "network" && instanceId === record.instanceId && sameField(data, "id", fields.id),
      );
    case "command":
      return around(
        source,
        position,
        ({ type, causedBy }) => type === "command_result" && causedBy === record.sequence,
      );
    case "edit":
      return around(
        source,
        position,
        ({ type, causedBy }) => type === "edit_result" && causedBy === record.sequence,
      );
    case "state_update": {
      const earlier = around(
        source,
        position,
        ({ type, sequence, data }) =>
          type === "state_update" && sequence < record.sequence && sameField(data, "scope", fields.scope),
      );
      return earlier.slice(-1);
    }
    default:
      return [];
  }
}

function sameField(data: unknown, name: string, value: unknown): boolean {
  return value !== undefined && (data as Record<string, unknown> | null)?.[name] === value;
}

/** Records near a position that match, in their order. Only those of the same kinds are read. */
function around(
  source: TimelineSource,
  position: number,
  matches: (record: TimelineRecord) => boolean,
): TimelineRecord[] {
  const { columns } = source;
  const found: TimelineRecord[] = [];
  const end = Math.min(columns.length, position + MAX_LOOKED_AT);
  for (let at = Math.max(0, position - MAX_LOOKED_AT); at < end && found.length < MAX_RELATED; at++) {
    if (at === position || !isNear(columns.kinds[at], columns.kinds[position])) continue;
    const record = readRecord(source, at);
    if (record && matches(record)) found.push(record);
  }
  return found;
}

/** The start of a request is of another kind than its end, and the messages of a socket than its opening. */
const NETWORK = new Set((["network", "request", "frame"] as const).map((kind) => RECORD_KINDS.indexOf(kind)));

function isNear(kind: number | undefined, wanted: number | undefined): boolean {
  return kind === wanted || (NETWORK.has(kind ?? -1) && NETWORK.has(wanted ?? -1));
}
