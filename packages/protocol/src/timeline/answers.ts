import { BridgeError } from "../errors.js";
import { wholeNumber } from "../input/whole-number.js";
import { RECORD_KINDS, RECORD_LEVELS, type RecordKind } from "../records/record-facts.js";
import { recordLine } from "../records/record-line.js";
import type { TimelineRecord } from "../schema/timeline.js";
import type {
  RecordDetails,
  TimelineBuckets,
  TimelinePage,
  TimelineRecords,
  TimelineRow,
} from "../schema/timeline-page.js";
import { countBuckets } from "./buckets.js";
import type { PagedTimeline } from "./paged-timeline.js";
import { type Query, readFilter, readStart } from "./query.js";
import { causesOf, readRecord, relatedTo } from "./related.js";
import type { TimelineSource } from "./source.js";
import { explain } from "./why/why.js";

const DEFAULT_PAGE = 100;
const MAX_PAGE = 500;
const MAX_PARTS = 1_000;
const MAX_TEXT = 300;
/** What code of a page did. */
const EXPLAINED: ReadonlySet<RecordKind> = new Set(["error", "console", "network", "request", "state"]);
/** How long one question looks at records. A reader asks again for the rest. */
const WORK_MS = 120;

/** One page of the rows that a query finds. */
export async function timelinePage(
  paged: PagedTimeline,
  query: Query,
  generation: number,
): Promise<TimelinePage> {
  const filter = readFilter(query);
  const limit = Math.min(wholeNumber(query("limit"), "limit", DEFAULT_PAGE), MAX_PAGE);
  const { rows, ...page } = await paged.page(filter, readStart(query), limit, WORK_MS);
  const { source } = paged;
  const { columns } = source;
  return {
    ...page,
    rows: rows.map(({ position, isEffect }) => rowOf(source, position, isEffect)),
    records: columns.length,
    first: columns.length === 0 ? 0 : (columns.sequences[0] as number),
    last: columns.length === 0 ? 0 : (columns.sequences[columns.length - 1] as number),
    generation,
  };
}

/** How many records there are in equal parts of a stretch of time. */
export async function timelineBuckets({ source }: PagedTimeline, query: Query): Promise<TimelineBuckets> {
  const number = (name: string): number | undefined =>
    query(name) === undefined ? undefined : wholeNumber(query(name), name, 0);
  const parts = Math.min(Math.max(1, wholeNumber(query("parts"), "parts", 200)), MAX_PARTS);
  await source.extend(WORK_MS);
  const [from, to] = [number("from"), number("to")];
  const counted = countBuckets(source.columns, {
    ...{ parts, kinds: RECORD_KINDS.length, error: RECORD_LEVELS.indexOf("error") },
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  const kinds = {} as Record<RecordKind, readonly number[]>;
  RECORD_KINDS.forEach((kind, i) => {
    kinds[kind] = counted.kinds[i] ?? [];
  });
  return { ...counted, kinds };
}

/** A whole record, and what belongs to it. */
export async function recordDetails({ source }: PagedTimeline, sequence: number): Promise<RecordDetails> {
  await source.extend(WORK_MS);
  const position = source.columns.positionOf(sequence);
  const record = position === -1 ? undefined : readRecord(source, position);
  if (!record)
    throw new BridgeError(
      "target_not_found",
      `record ${sequence} is not stored; a hub that was started with --record keeps all of them`,
    );
  const row = rowOf(source, position, false);
  return {
    record,
    row,
    why: causesOf(source, position).map((cause) => rowOf(source, cause, false)),
    ...(EXPLAINED.has(row.kind) ? { because: await explain(source, position) } : {}),
    related: relatedTo(source, position, record),
  };
}

/** A record by its number, if it is kept. */
export function recordOf({ source }: PagedTimeline, sequence: number): TimelineRecord | undefined {
  const position = source.columns.positionOf(sequence);
  return position === -1 ? undefined : readRecord(source, position);
}

/** Records that one answer reads. */
const MAX_RECORDS = 1_000;
/** Records that are looked at for one answer. */
const MAX_LOOKED_AT = 20_000;

/** Whole records of one kind after `since`; `next` is the `since` of the next question, until nothing is left. */
export async function timelineRecords({ source }: PagedTimeline, query: Query): Promise<TimelineRecords> {
  const kinds = readFilter(query).kinds;
  const isIndexed = await source.extend(WORK_MS);
  const { columns } = source;
  const records: TimelineRecord[] = [];
  const since = wholeNumber(query("since"), "since", 0);
  const first = columns.firstFrom(since + 1);
  const end = Math.min(columns.length, first + MAX_LOOKED_AT);
  let at = first;
  for (; at < end && records.length < MAX_RECORDS; at++) {
    if (kinds && !kinds[columns.kinds[at] as number]) continue;
    const record = readRecord(source, at);
    if (record) records.push(record);
  }
  const next = at === first ? since : (columns.sequences[at - 1] as number);
  return { records, next, complete: isIndexed && at === columns.length };
}

/** One record as a line of a list. */
function rowOf(source: TimelineSource, position: number, isEffect: boolean): TimelineRow {
  const { columns } = source;
  const record = readRecord(source, position);
  const cause = columns.causes[position] as number;
  const line = record && recordLine(record);
  return {
    sequence: columns.sequences[position] as number,
    at: columns.times[position] as number,
    type: typeof record?.type === "string" ? record.type : "",
    kind: RECORD_KINDS[columns.kinds[position] as number] as RecordKind,
    level: RECORD_LEVELS[columns.levels[position] as number] as TimelineRow["level"],
    text: line ? line.text.slice(0, MAX_TEXT) : "no longer stored",
    ...(line?.label === undefined ? {} : { label: line.label }),
    ...(line?.location === undefined ? {} : { location: line.location }),
    ...(cause === 0 ? {} : { cause }),
    isEffect,
    effects: columns.effectsOf(position),
    ...(record ? {} : { isGone: true as const }),
  };
}
