import { backoffDelay } from "@debug-bridge/protocol";

const RETRY = { firstMs: 200, maxMs: 5_000 };

/** What a feed says: that it was opened, so that everything has to be read once; then what changes. */
export type FeedNews<Event> = { readonly opened: true } | { readonly events: readonly Event[] };

/**
 * Follows a feed until `signal` aborts, and opens it again when it ends. Browsers open only six connections to a hub, so
 * the windows of one origin share one feed: the one that holds the lock reads it and notifies the others.
 */
export function followTogether<Event>(
  name: string,
  signal: AbortSignal,
  open: (onOpen: () => void, onEvents: (events: readonly Event[]) => void) => Promise<void>,
  onNews: (news: FeedNews<Event>) => void,
): void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<FeedNews<Event>>) => onNews(data);
  signal.addEventListener("abort", () => channel.close(), { once: true });
  const publish = (news: FeedNews<Event>): void => {
    if (signal.aborted) return;
    channel.postMessage(news);
    onNews(news);
  };
  const read = async (): Promise<void> => {
    for (let attempt = 0; !signal.aborted; attempt++) {
      const onOpen = (): void => {
        attempt = 0;
        publish({ opened: true });
      };
      await open(onOpen, (events) => publish({ events })).catch(() => {});
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, backoffDelay(attempt, RETRY)));
    }
  };
  // Pages without a secure context have no locks.
  const reading = navigator.locks ? navigator.locks.request(name, { signal }, read) : read();
  reading.catch(() => {});
}
