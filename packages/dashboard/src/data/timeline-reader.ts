import type {
  RecordDetails,
  SourceExcerpt,
  SourceLocation,
  TimelineBuckets,
  TimelinePage,
  TimelineRecord,
  TimelineRecords,
} from "@debug-bridge/protocol";

/** A timeline that can be read: that of a live session, a recording of the hub, or a file that was opened. */
export interface TimelineAddress {
  readonly kind: "session" | "recording" | "file";
  readonly id: string;
}

/** A place in a script. */
export interface Place {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** What a page looked like. */
export interface Frame {
  readonly blob: Blob;
  readonly at: number;
}

/** A part of a replay: lists of events, in the format of rrweb. */
export interface ReplayPart {
  /** When the segment begins. */
  readonly segment: number;
  /** How many lists it has by now. */
  readonly next: number;
  readonly end?: number;
  readonly lists: readonly (readonly unknown[])[];
}

/** Where timelines are read from: a hub, or a file in this page. Everything rejects with a message for the person. */
export interface TimelineReader {
  timeline(of: TimelineAddress, query: URLSearchParams, signal?: AbortSignal): Promise<TimelinePage>;
  buckets(of: TimelineAddress, parts: number, signal?: AbortSignal): Promise<TimelineBuckets>;
  record(of: TimelineAddress, sequence: number, signal?: AbortSignal): Promise<RecordDetails>;
  /** Whole records of the kinds of a query, at most 1,000, after `since`. */
  records(of: TimelineAddress, query: URLSearchParams, signal?: AbortSignal): Promise<TimelineRecords>;
  /** The code around a place; rejects when it cannot be read. */
  source(of: TimelineAddress, place: Place, signal: AbortSignal): Promise<SourceExcerpt>;
  /** Where the code behind records was written, by their numbers; those that are not known are left out. */
  places?(of: TimelineAddress, sequences: readonly number[]): Promise<ReadonlyMap<number, SourceLocation>>;
  /** The file of this machine that code was written in, by its address or its path in the project; rejects when it is not known. */
  projectFile?(of: TimelineAddress, at: string, signal: AbortSignal): Promise<string>;
  /** Whether a file has pictures or a replay. A hub is asked for each. */
  readonly hasFrames?: boolean;
  /** What the page looked like at a moment, or at the last one; undefined when there is no picture of it. */
  frame?(of: TimelineAddress, at: number | "last", signal?: AbortSignal): Promise<Frame | undefined>;
  /**
   * How the DOM of the page changed around a moment; undefined when that was not recorded. Of the segment that is known
   * already, only what is new.
   */
  replay?(
    of: TimelineAddress,
    at: number | "last",
    known: Pick<ReplayPart, "segment" | "next">,
    signal?: AbortSignal,
  ): Promise<ReplayPart | undefined>;
  /** Calls back when there are new records, until `signal` aborts. A timeline that does not grow has none. */
  followTimeline?(session: string, signal: AbortSignal, onAdded: () => void): void;
}

/** All records of some kinds. */
export async function readAll(
  reader: TimelineReader,
  of: TimelineAddress,
  kinds: readonly string[],
): Promise<TimelineRecord[]> {
  const found: TimelineRecord[] = [];
  for (let since = 0; ; ) {
    const query = new URLSearchParams({ kinds: kinds.join(","), since: String(since) });
    const { records, next, complete } = await reader.records(of, query);
    found.push(...records);
    if (complete) return found;
    since = next;
  }
}
