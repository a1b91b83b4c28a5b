import type { RunEvent } from "@debug-bridge/protocol";

/** How many times as many events a page may have, so that it begins with the message of the person. */
const MAX_STRETCH = 4;

export interface EarlierPage {
  /** Oldest first. */
  readonly events: readonly RunEvent[];
  /** The `before` of the page before this one; null at the beginning of the chat. */
  readonly earlier: number | null;
}

/**
 * The newest `limit` events of a transcript that is read backwards. In the middle of a run nobody could say what its
 * texts answer, so a page goes on to the beginning of its first run, unless that is too far away.
 */
export function pageBefore(newestFirst: Iterable<RunEvent>, limit: number): EarlierPage {
  const found: RunEvent[] = [];
  for (const event of newestFirst) {
    // One more than the page shows that there is a page before it.
    if (found.length >= limit && found.at(-1)?.event === "run.started") return pageOf(found);
    if (found.length === MAX_STRETCH * limit) return pageOf(found.slice(0, limit));
    found.push(event);
  }
  return { events: found.reverse(), earlier: null };
}

function pageOf(newestFirst: readonly RunEvent[]): EarlierPage {
  const events = [...newestFirst].reverse();
  return { events, earlier: events[0]?.sequence ?? null };
}
