import { FeedParser } from "./feed-parser.js";

/** Reads the events of a stream until it ends. Those that arrive together are reported together. */
export async function readEvents<Event>(
  { body }: Response,
  onEvents: (events: readonly Event[]) => void,
): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new FeedParser<Event>();
  while (reader) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = parser.push(value);
    if (events.length > 0) onEvents(events);
  }
}

/** Why the hub refused a request: the hub itself, or the page that the request was for. */
export async function refusalText(response: Response): Promise<string> {
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { message?: string } | string; message?: string }
    | undefined;
  const own = typeof body?.error === "object" ? body.error.message : body?.message;
  return own ?? `the hub answered with status ${response.status}`;
}
