import type { TimelineRecord } from "@debug-bridge/protocol";
import { type FoundHub, noHub } from "./find-hub.js";
import { openAuthorized } from "./proven.js";
import { refusal } from "./request.js";
import { SseParser } from "./sse.js";

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
  const response = await openAuthorized(hub, `/v1/stream?${query}`, {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    background: options.background ?? false,
  }).catch(() => undefined);
  if (!response) {
    if (options.signal?.aborted) return;
    throw noHub({ hub: hub.url });
  }
  response.setEncoding("utf8");
  if (response.statusCode !== 200) {
    let text = "";
    for await (const chunk of response as AsyncIterable<string>) text = (text + chunk).slice(0, 10_000);
    throw refusal({ status: response.statusCode ?? 0, text });
  }
  const parser = new SseParser();
  try {
    for await (const chunk of response as AsyncIterable<string>) yield* parser.push(chunk);
  } catch {
    // The connection broke or was aborted: the stream has ended.
  } finally {
    response.destroy();
  }
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
