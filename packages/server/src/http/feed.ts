import type { Session } from "../sessions/session.js";
import { type Entry, recordJson } from "../timeline/timeline.js";
import type { SendEvent } from "./sse.js";

/** Longer records are left out of the feed but for their size; the session's own stream has them whole. */
const MOST_CHARACTERS = 4_096;
const RECENT = 200;

/** What goes on in all sessions, for those who look at the whole: changes of who is connected, and every record. */
export class Feed {
  private readonly listeners = new Set<SendEvent>();
  private readonly recent: { sessionId: string; entry: Entry }[] = [];

  /** Sends the newest records, then everything that follows. */
  subscribe(send: SendEvent): () => void {
    for (const { sessionId, entry } of this.recent.slice(-RECENT)) send(recordJson(sessionId, entry));
    this.listeners.add(send);
    return () => this.listeners.delete(send);
  }

  /** On the path of every message: nothing is serialised unless somebody listens. */
  entry(session: Session, entry: Entry): void {
    const short =
      entry.json.length > MOST_CHARACTERS ? { ...entry, json: `{"omitted":${entry.json.length}}` } : entry;
    this.recent.push({ sessionId: session.id, entry: short });
    if (this.recent.length > 2 * RECENT) this.recent.splice(0, RECENT);
    if (this.listeners.size > 0) this.send(recordJson(session.id, short));
  }

  peersChanged(session: Session): void {
    if (this.listeners.size > 0) this.send(JSON.stringify({ type: "session", data: session.summary() }));
  }

  private send(json: string): void {
    for (const listener of this.listeners) if (!listener(json)) this.listeners.delete(listener);
  }
}
