import type { RunEvent } from "@debug-bridge/protocol";
import { streamEventTexts } from "./event-stream.js";
import type { FoundHub } from "./find-hub.js";

export interface ChatEventOptions {
  /** Sequence of the last event that was read; the stream starts with the next one. */
  readonly since: number;
  readonly signal?: AbortSignal;
}

/** The events of one chat, oldest first, then new ones as they happen. Ends when the hub does or the signal aborts. */
export async function* streamChatEvents(
  hub: FoundHub,
  chatId: string,
  { since, signal }: ChatEventOptions,
): AsyncGenerator<RunEvent> {
  const path = `/events?${new URLSearchParams({ sessionId: chatId })}`;
  const headers = { "last-event-id": String(since) };
  const texts = streamEventTexts(hub, path, { headers, ...(signal === undefined ? {} : { signal }) });
  for await (const text of texts) yield JSON.parse(text) as RunEvent;
}
