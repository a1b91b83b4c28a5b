import type { SourceLocation } from "../console/record.js";
import type { RecordKind } from "../records/record-facts.js";
import type { RecordLevel } from "../records/record-line.js";
import type { TimelineRecord } from "./timeline.js";
import type { WhyAnswer } from "./why.js";

/** One record as a line of a list. */
export interface TimelineRow {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: string;
  readonly kind: RecordKind;
  readonly level: RecordLevel;
  readonly text: string;
  readonly label?: string;
  readonly location?: SourceLocation;
  /** Sequence of the command that caused it. */
  readonly cause?: number;
  /** Whether it is listed below its cause. */
  readonly isEffect: boolean;
  /** What it caused, counted; 0 of all for records that caused nothing. */
  readonly effects: { readonly all: number; readonly requests: number; readonly errors: number };
  /** Its text is no longer kept. */
  readonly isGone?: true;
}

/** `GET /v1/sessions/ID/timeline` and the same for recordings. */
export interface TimelinePage {
  /** How many rows there are in all, as far as they are known. */
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly TimelineRow[];
  /** Whether all records were looked at; if not, ask again. */
  readonly complete: boolean;
  /** How much was looked at, from 0 to 1. */
  readonly progress: number;
  /** How many records there are, of any kind. */
  readonly records: number;
  /** Sequences of the first and the last record; 0 when there is none. */
  readonly first: number;
  readonly last: number;
  /** Changes when the numbers of rows start again, so that rows from before mean nothing. */
  readonly generation: number;
}

/** `GET …/timeline/buckets`: how many records there are in equal parts of a stretch of time. */
export interface TimelineBuckets {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly kinds: Readonly<Record<RecordKind, readonly number[]>>;
  readonly errors: readonly number[];
}

/** `GET …/records/SEQUENCE`: a whole record, and what belongs to it. */
export interface RecordDetails {
  readonly record: TimelineRecord;
  readonly row: TimelineRow;
  /** Its cause, the cause of that, and so on. */
  readonly why: readonly TimelineRow[];
  /** The same with what is between them and the evidence for it, for what code of a page did. */
  readonly because?: WhyAnswer;
  /** The other records of the same request, the result of a command, the state before. */
  readonly related: readonly TimelineRecord[];
}

/** `GET …/records?kinds=`: whole records of some kinds, in their order. */
export interface TimelineRecords {
  readonly records: readonly TimelineRecord[];
  /** The `since` of the next question. */
  readonly next: number;
  /** Whether there are no more. */
  readonly complete: boolean;
}

/** `GET /v1/recordings`: one session that was written to disk. */
export interface RecordingSummary {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly startTime: string;
  readonly endTime?: string;
  readonly lastWrittenAt?: string;
  readonly isRunning: boolean;
  readonly bytes: number;
  /** Provider and model of an agent. */
  readonly agent?: string;
}

/** `GET /v1/sessions/ID/source`: code around a place in a script, as it was written. */
export interface SourceExcerpt {
  readonly url: string;
  readonly line: number;
  readonly column: number;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** No map leads to the source: this is a compiled file as it is served. */
  readonly isServed?: boolean;
}
