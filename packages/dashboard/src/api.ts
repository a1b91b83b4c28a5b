import type { SessionSummary, TimelineRecord } from "@debug-bridge/protocol";
import { FeedParser } from "@debug-bridge/ui/feed-parser";

export type FeedEvent =
  | TimelineRecord
  | { readonly type: "session"; readonly data: SessionSummary }
  | { readonly type: "waiting"; readonly clients: readonly string[] };

/** The hub refused the request. */
export class RefusedError extends Error {}

function headers(token: string | undefined): HeadersInit {
  return token ? { authorization: `Bearer ${token}` } : {};
}

async function get(path: string, token: string | undefined, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, { headers: headers(token), signal });
  if (response.ok) return response;
  const body = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  throw new RefusedError(body?.error?.message ?? `the hub answered with status ${response.status}`);
}

export interface SessionList {
  readonly sessions: readonly SessionSummary[];
  /** Clients that wait because the person shares no tab. */
  readonly waiting: readonly string[];
}

export async function listSessions(token: string | undefined, signal: AbortSignal): Promise<SessionList> {
  const response = await get("/v1/sessions", token, signal);
  return (await response.json()) as SessionList;
}

/** Follows the events of all sessions until the connection ends. Uses `fetch`: `EventSource` cannot send the token. */
export async function followFeed(
  token: string | undefined,
  signal: AbortSignal,
  onEvent: (event: FeedEvent) => void,
): Promise<void> {
  const response = await get("/v1/stream", token, signal);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new FeedParser();
  while (reader) {
    const { value, done } = await reader.read();
    if (done) return;
    for (const data of parser.push(value)) onEvent(JSON.parse(data) as FeedEvent);
  }
}
