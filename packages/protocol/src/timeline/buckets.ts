import type { TimelineColumns } from "./columns.js";

/** How many records there are of each kind, in equal parts of a stretch of time. */
export interface Buckets {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** For each kind, by its index, one number for each part. */
  readonly kinds: number[][];
  /** The records of the highest level. */
  readonly errors: number[];
}

/** Counts the records between two moments; without them, of the whole timeline. */
export function countBuckets(
  columns: TimelineColumns,
  { parts, kinds, error, ...range }: BucketOptions,
): Buckets {
  const { from, to } = { ...timeRange(columns), ...range };
  const counts = Array.from({ length: kinds }, () => new Array<number>(parts).fill(0));
  const errors = new Array<number>(parts).fill(0);
  const width = Math.max(1, to - from) / parts;
  for (let i = 0; i < columns.length; i++) {
    const at = columns.times[i] as number;
    if (at < from || at > to) continue;
    const part = Math.min(parts - 1, Math.floor((at - from) / width));
    const lane = counts[columns.kinds[i] as number];
    if (lane) lane[part] = (lane[part] as number) + 1;
    if (columns.levels[i] === error) errors[part] = (errors[part] as number) + 1;
  }
  return { from, to, kinds: counts, errors };
}

export interface BucketOptions {
  readonly parts: number;
  readonly kinds: number;
  readonly error: number;
  readonly from?: number;
  readonly to?: number;
}

/** The first and the last moment. Clocks of pages differ, so the last record need not be the newest. */
function timeRange({ times, length }: TimelineColumns): { from: number; to: number } {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let i = 0; i < length; i++) {
    const at = times[i] as number;
    if (at < from) from = at;
    if (at > to) to = at;
  }
  return length === 0 ? { from: 0, to: 0 } : { from, to };
}
