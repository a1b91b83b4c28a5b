import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import { type Entry, recordJson } from "../timeline/timeline.js";
import type { SendEvent } from "./sse.js";

/** The feed has only the size of longer records, unless their type was requested. */
const MAX_CHARACTERS = 4_096;
const RECENT = 200;
/** Sessions with new records are reported together. */
const GROWN_MS = 100;

interface Listener {
  readonly send: SendEvent;
  /** Which records it gets; all of them when left out. */
  readonly types: ReadonlySet<string> | undefined;
  /** Whether it gets changes of who is connected. */
  readonly sessions: boolean;
  /** Whether it is notified of sessions with new records. */
  readonly growth?: boolean;
}

/** A stream over all sessions: every record, and changes of who is connected. */
export class Feed {
  private readonly listeners = new Set<Listener>();
  private readonly recent: { sessionId: string; entry: Entry }[] = [];
  /** Sessions with records that were not reported yet. */
  private grown = new Set<string>();

  constructor(private readonly describe: (session: Session) => object = (session) => session.summary()) {}

  /** Sends the newest records, then everything that follows. */
  subscribe(send: SendEvent): () => void {
    for (const { sessionId, entry } of this.recent.slice(-RECENT)) send(recordJson(sessionId, entry));
    return this.listen({ send, types: undefined, sessions: true });
  }

  /** Sends changes of who is connected and who waits, and no records; with `growth`, also which sessions have new ones. */
  subscribeToSessions(send: SendEvent, growth: boolean): () => void {
    return this.listen({ send, types: new Set(), sessions: true, growth });
  }

  /** Sends the records of some types that are not older than `since`, oldest first, then `caught_up`, then new ones; always complete. */
  subscribeTo(
    types: ReadonlySet<string>,
    since: number,
    sessions: readonly Session[],
    send: SendEvent,
  ): () => void {
    const found = sessions.flatMap(({ id, timeline }) =>
      timeline
        .readSince(0)
        .entries.filter(({ type, at }) => types.has(type) && at >= since)
        .map((entry) => ({ id, entry })),
    );
    found.sort((a, b) => a.entry.at - b.entry.at);
    for (const { id, entry } of found) send(recordJson(id, entry));
    send('{"type":"caught_up"}');
    return this.listen({ send, types, sessions: false });
  }

  /** Called for every record: nothing is serialised unless somebody listens. */
  entry(session: Session, entry: Entry): void {
    const isLong = entry.json.length > MAX_CHARACTERS;
    const short = isLong ? { ...entry, json: `{"omitted":${entry.json.length}}` } : entry;
    this.recent.push({ sessionId: session.id, entry: short });
    if (this.recent.length > 2 * RECENT) this.recent.splice(0, RECENT);
    for (const listener of this.listeners) {
      if (listener.growth) this.grow(session.id);
      if (listener.types && !listener.types.has(entry.type)) continue;
      this.send(listener, recordJson(session.id, listener.types ? entry : short));
    }
  }

  private grow(sessionId: string): void {
    if (this.grown.size === 0) setTimeout(() => this.reportGrowth(), GROWN_MS).unref();
    this.grown.add(sessionId);
  }

  private reportGrowth(): void {
    const json = JSON.stringify({ type: "added", sessions: [...this.grown] });
    this.grown = new Set();
    for (const listener of this.listeners) if (listener.growth) this.send(listener, json);
  }

  peersChanged(session: Session): void {
    for (const listener of this.listeners) {
      if (listener.sessions)
        this.send(listener, JSON.stringify({ type: "session", data: this.describe(session) }));
    }
  }

  /** Other clients wait for a tab than before. */
  waitingChanged(clients: readonly string[]): void {
    for (const listener of this.listeners)
      if (listener.sessions) this.send(listener, JSON.stringify({ type: "waiting", clients }));
  }

  private listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private send(listener: Listener, json: string): void {
    if (!listener.send(json)) this.listeners.delete(listener);
  }
}

/** What a reader of all sessions asks for. */
export interface FeedRequest {
  readonly only: "sessions" | "changes" | undefined;
  readonly types: readonly string[] | undefined;
  readonly since: number;
}

export function subscribeToFeed(
  feed: Feed,
  sessions: Pick<Sessions, "all">,
  { only, types, since }: FeedRequest,
  send: SendEvent,
): () => void {
  if (only !== undefined) return feed.subscribeToSessions(send, only === "changes");
  if (types === undefined) return feed.subscribe(send);
  return feed.subscribeTo(new Set(types), since, sessions.all(), send);
}
