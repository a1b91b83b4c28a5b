import type { TimelineRecord } from "@debug-bridge/protocol";
import { streamEventTexts } from "./event-stream.js";
import type { FoundHub } from "./find-hub.js";

/** The type of the record that separates what was stored from what is new. */
export const CAUGHT_UP = "caught_up";

export interface RecordOptions {
  readonly types: readonly string[];
  /** Milliseconds since 1970: starts with records from this time on. */
  readonly since: number;
  readonly signal?: AbortSignal;
  /** Does not keep the process alive. */
  readonly background?: boolean;
}

/**
 * Records of all sessions of a hub, oldest first: the stored ones, a `caught_up` record, then new ones as they happen.
 * Ends when the hub does or when the signal aborts. Each record comes as its JSON text, so that the reader decides how
 * to read it.
 */
export async function* streamRecordTexts(hub: FoundHub, options: RecordOptions): AsyncGenerator<string> {
  const query = new URLSearchParams({
    types: options.types.join(","),
    since: String(Math.floor(options.since)),
  });
  yield* streamEventTexts(hub, `/v1/stream?${query}`, options);
}

/** The same, parsed. Texts that are not records are left out. */
export async function* streamRecords(hub: FoundHub, options: RecordOptions): AsyncGenerator<TimelineRecord> {
  for await (const text of streamRecordTexts(hub, options)) {
    const record = parseRecord(text);
    if (record) yield record;
  }
}

function parseRecord(text: string): TimelineRecord | undefined {
  try {
    const record = JSON.parse(text) as TimelineRecord | null;
    return typeof record?.type === "string" ? record : undefined;
  } catch {
    return undefined;
  }
}
