import { setImmediate as nextTurn } from "node:timers/promises";
import { asEmbedded, parseOrNothing } from "@debug-bridge/protocol/timeline";
import type { Stretch } from "./collect.js";

/** A part of a replay that begins with the whole page, as lists of events in JSON. */
export interface ReplaySegment {
  readonly at: number;
  /** From when on it says nothing more about the page. */
  readonly end: number | undefined;
  parts(): readonly string[];
}

export interface CollectedReplay {
  /** Lines of JSON that can be inside a script element. */
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Segments that do not fit. */
  readonly omitted: number;
}

/**
 * The segments of a stretch of time, the newest first as long as there is room. A segment that began before the stretch is needed from its
 * beginning; what came after the stretch is left out. Secrets were masked in the page.
 */
export async function collectReplay(
  segments: readonly ReplaySegment[],
  { from = 0, to = Number.POSITIVE_INFINITY }: Stretch,
  room: number,
): Promise<CollectedReplay> {
  const kept: string[][] = [];
  let [left, omitted, first, last] = [room, 0, Number.POSITIVE_INFINITY, 0];
  for (const { at, end, parts } of segments.toReversed()) {
    if (at > to || (end ?? Number.POSITIVE_INFINITY) <= from) continue;
    await nextTurn();
    const lists = parts().map((part) => eventsUntil(part, to));
    const lines = lists.map((events) => asEmbedded(JSON.stringify({ segment: at, events })));
    if (end !== undefined) lines.push(JSON.stringify({ segment: at, end }));
    const size = lines.reduce((sum, { length }) => sum + length + 1, 0);
    if (size > left) omitted++;
    else {
      left -= size;
      kept.unshift(lines);
      first = Math.min(first, at);
      last = Math.max(last, ...lists.map(lastTime), at);
    }
  }
  return { lines: kept.flat(), from: Math.min(first, last), to: last, omitted };
}

function eventsUntil(part: string, to: number): unknown[] {
  const events = parseOrNothing(part);
  return Array.isArray(events) ? events.filter((event) => !(timeOf(event) > to)) : [];
}

const lastTime = (events: readonly unknown[]): number => timeOf(events.at(-1));

function timeOf(event: unknown): number {
  const { timestamp } = (event ?? {}) as { timestamp?: unknown };
  return typeof timestamp === "number" ? timestamp : 0;
}
