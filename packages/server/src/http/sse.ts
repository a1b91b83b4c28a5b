import type { Holder } from "../bounds/byte-budget.js";
import { MIN_COUNTED_BYTES, unreadInAll } from "../bounds/unread.js";

/** Sends one event; false when the reader has fallen so far behind that the stream was ended. */
export type SendEvent = (json: string, id?: number) => boolean;

const encoder = new TextEncoder();
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
const HEARTBEAT_INTERVAL_MS = 15_000;

/**
 * A response of server-sent events. `start` gets a function that sends, and returns one that stops. A reader that does
 * not keep up is disconnected; it resumes from the timeline with `Last-Event-ID`.
 */
export function eventStream(start: (send: SendEvent) => () => void): Response {
  let stop = (): void => {};
  let beat: NodeJS.Timeout | undefined;
  let holder: Holder | undefined;
  const end = (): void => {
    if (holder) unreadInAll.remove(holder);
    clearInterval(beat);
    stop();
    stop = () => {};
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let open = true;
        // Earlier records are sent completely, however many: the timeline's window bounds them.
        let replaying = true;
        const unread = (): number => (open ? Math.max(0, -(controller.desiredSize ?? 0)) : 0);
        const cut = (): void => {
          if (!open) return;
          open = false;
          controller.close();
          end();
        };
        holder = { measure: unread, release: cut };
        const push = (text: string): boolean => {
          if (!open) return false;
          controller.enqueue(encoder.encode(text));
          if (unread() > MIN_COUNTED_BYTES && holder) unreadInAll.update(holder, unread());
          if (!replaying && unread() > MAX_UNREAD_BYTES) cut();
          return open;
        };
        push(": connected\n\n");
        stop = start((json, id) => push(`${id === undefined ? "" : `id: ${id}\n`}data: ${json}\n\n`));
        replaying = false;
        beat = setInterval(() => push(": still here\n\n"), HEARTBEAT_INTERVAL_MS);
        beat.unref();
      },
      cancel: end,
    },
    { highWaterMark: 1, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
