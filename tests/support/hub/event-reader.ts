import { expect, onTestFinished } from "vitest";
import type { ChatApi } from "../chat/chat.js";

export interface EventReader<Event> {
  readonly events: Event[];
  readonly ids: number[];
  close(): void;
}

/** Reads server-sent events as a browser does, until the test ends. */
export async function readEvents<Event>(
  api: Pick<ChatApi, "call">,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventReader<Event>> {
  const abort = new AbortController();
  const response = await api.call(path, { signal: abort.signal, headers });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader: EventReader<Event> = { events: [], ids: [], close: () => abort.abort() };
  onTestFinished(() => abort.abort());
  void (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data === undefined) continue;
        reader.ids.push(Number(/^id: (\d+)$/m.exec(part)?.[1]));
        reader.events.push(JSON.parse(data) as Event);
      }
    }
  })().catch(() => {});
  return reader;
}
