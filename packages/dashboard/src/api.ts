import type { SessionSummary, TimelineRecord } from "@debug-bridge/protocol";

export type FeedEvent = TimelineRecord | { readonly type: "session"; readonly data: SessionSummary };

export class RefusedError extends Error {}

function headers(token: string | undefined): HeadersInit {
  return token ? { authorization: `Bearer ${token}` } : {};
}

async function get(path: string, token: string | undefined, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, { headers: headers(token), signal });
  if (response.ok) return response;
  const body = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  throw new RefusedError(body?.error?.message ?? `the hub answered ${response.status}`);
}

export async function listSessions(
  token: string | undefined,
  signal: AbortSignal,
): Promise<SessionSummary[]> {
  const response = await get("/v1/sessions", token, signal);
  return ((await response.json()) as { sessions: SessionSummary[] }).sessions;
}

/** Follows what goes on in all sessions until the connection ends. `EventSource` cannot send the token, so this reads. */
export async function followFeed(
  token: string | undefined,
  signal: AbortSignal,
  onEvent: (event: FeedEvent) => void,
): Promise<void> {
  const response = await get("/v1/stream", token, signal);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").find((line) => line.startsWith("data: "));
      if (data) onEvent(JSON.parse(data.slice("data: ".length)) as FeedEvent);
    }
  }
}
