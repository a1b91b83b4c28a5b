import { RECORD_KINDS, RECORD_LEVELS, recordFacts } from "../records/record-facts.js";
import { TimelineColumns } from "./columns.js";

/** Records that can be paged: in a file, or in the memory of a hub. */
export interface TimelineSource {
  readonly columns: TimelineColumns;
  /** Brings the columns up to date for at most about so many milliseconds; true when nothing is left to read. */
  extend(maxMs: number): Promise<boolean>;
  /** The JSON of the record at a position; `undefined` when it is no longer kept. */
  read(position: number): string | undefined;
  /** Lets other work of the process, or of the page, go on. */
  readonly pause: () => Promise<void>;
  /** How much of it the columns hold, from 0 to 1. */
  readonly progress: number;
}

export const emptyColumns = (): TimelineColumns =>
  new TimelineColumns({
    // Each request starts once; a socket that opens and its messages are not counted.
    request: RECORD_KINDS.indexOf("request"),
    error: RECORD_LEVELS.indexOf("error"),
  });

/** Kind and level as the columns keep them. `data` is the JSON of the record's data. */
export function factsOf(type: string, data: () => unknown): { kind: number; level: number } {
  const { kind, level } = recordFacts(type, data);
  return { kind: RECORD_KINDS.indexOf(kind), level: RECORD_LEVELS.indexOf(level) };
}

/** Parses what somebody else may have written: anything that is not JSON is nothing. */
export function parseOrNothing(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
