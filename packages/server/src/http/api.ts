import { APP_MESSAGE_LIMITS, type BridgeError } from "@debug-bridge/protocol";
import { decode, devServerReportSchema } from "@debug-bridge/protocol/schemas";
import { Hono } from "hono";
import type { ChatStore } from "../chats/store/chat-store.js";
import { followersOf } from "../edits/followers.js";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import { gapJson, recordJson } from "../timeline/timeline.js";
import { type Feed, type FeedRequest, subscribeToFeed } from "./feed.js";
import type { OtherHubs } from "./hub/other-hubs.js";
import { wholeNumber } from "./query.js";
import { runPosted } from "./session/commands.js";
import { eventStream, type SendEvent } from "./sse.js";

const MAX_EVENTS = 1_000;

/** Who waits for a tab that the person shares. */
export interface SharingPort {
  waitingClients(): readonly string[];
  /** Asks the person; returns what to answer until then. Nothing when a tab is shared. */
  askForTab(client: string): BridgeError | undefined;
}

export interface ApiOptions {
  readonly sessions: Sessions;
  readonly feed: Feed;
  readonly sharing: SharingPort;
  readonly chats: Pick<ChatStore, "has" | "get">;
  readonly others?: OtherHubs | undefined;
}

/** `/v1`: sessions, their events, and commands. Requests that get here were admitted as an agent. */
export function apiRoutes({ sessions, feed, sharing, chats, others }: ApiOptions): Hono {
  const api = new Hono();

  api.get("/sessions", async (c) =>
    c.json({
      sessions: others ? await others.summaries() : sessions.all().map((session) => session.summary()),
      waiting: sharing.waitingClients(),
    }),
  );
  api.get("/sessions/:id", (c) => {
    const id = c.req.param("id");
    if (sessions.get(id) === undefined && chats.has(id)) return c.json(chats.get(id));
    return c.json(find(sessions, id).summary());
  });

  api.get("/sessions/:id/events", (c) => {
    const session = find(sessions, c.req.param("id"));
    const since = wholeNumber(c.req.query("since"), "since", 0);
    const limit = Math.min(wholeNumber(c.req.query("limit"), "limit", MAX_EVENTS), MAX_EVENTS);
    const types = c.req.query("types")?.split(",");
    return c.body(eventsJson(session, since, limit, types), 200, { "content-type": "application/json" });
  });

  api.get("/sessions/:id/stream", (c) => {
    const session = find(sessions, c.req.param("id"));
    const since = wholeNumber(
      c.req.query("since") ?? c.req.header("last-event-id"),
      "since",
      session.timeline.sequence,
    );
    return eventStream((send) => {
      const { entries, gap } = session.timeline.readSince(since);
      if (gap) send(gapJson(session.id, (gap.to ?? since) + 1, gap), (gap.to ?? since) as number);
      for (const entry of entries) send(recordJson(session.id, entry), entry.sequence);
      const stop = session.subscribe((entry) => send(recordJson(session.id, entry), entry.sequence));
      return () => {
        stop();
        sessions.releaseIfIdle(session);
      };
    });
  });

  api.get("/stream", (c) => {
    const types = c.req.query("types");
    const only = c.req.query("only");
    const wanted: FeedRequest = {
      only: only === "sessions" || only === "changes" ? only : undefined,
      types: types?.split(","),
      since: types === undefined ? 0 : wholeNumber(c.req.query("since"), "since", Date.now()),
    };
    const subscribe = (send: SendEvent): (() => void) => subscribeToFeed(feed, sessions, wanted, send);
    return eventStream((send) => (others ? others.joinFeeds(wanted, subscribe, send) : subscribe(send)));
  });

  api.post("/tabs/request", (c) => {
    const refusal = sharing.askForTab(
      c.req.header("x-debug-bridge-client")?.slice(0, 100) ?? "an HTTP client",
    );
    if (refusal) throw refusal;
    return c.json({ asked: false });
  });

  api.post("/sessions/:id/commands", async (c) => {
    const name = c.req.header("x-debug-bridge-client")?.slice(0, 100);
    const session = find(sessions, c.req.param("id"), () => sharing.askForTab(name ?? "an HTTP client"));
    const text = await c.req.text();
    const { body, status } = await runPosted(session, text, name ? `http:${name}` : "http");
    return c.json(body, status);
  });

  api.post("/sessions/:id/dev-server", async (c) => {
    const session = find(sessions, c.req.param("id"));
    const report = decode(devServerReportSchema, await c.req.text(), APP_MESSAGE_LIMITS);
    if (!report.ok) throw report.error;
    session.edits.onReport(report.value.events, followersOf(session, sessions.all()));
    return c.json({ ok: true });
  });

  return api;
}

/** Without the session of a tab, the person is asked to share one. */
function find(sessions: Sessions, id: string, ask?: () => BridgeError | undefined): Session {
  const isAsked = !sessions.get(id) && /^tab-\d+$/.test(id) ? ask?.() : undefined;
  if (isAsked) throw isAsked;
  return sessions.require(id);
}

/**
 * `{"events": […], "next": N}`: `next` is the `since` of the next call. `waiting`: how many newer records are shown when the bus has
 * stored them, which it does not do at present.
 */
function eventsJson(session: Session, since: number, limit: number, types: string[] | undefined): string {
  const { entries, gap } = session.timeline.readSince(since, limit);
  const wanted = types ? entries.filter(({ type }) => types.includes(type)) : entries;
  const records = wanted.map((entry) => recordJson(session.id, entry));
  if (gap) records.unshift(gapJson(session.id, (gap.to ?? since) + 1, gap));
  const next = entries.at(-1)?.sequence ?? Math.max(since, gap?.to ?? 0);
  const { delayed } = session.held;
  const waiting = delayed > 0 ? `,"waiting":${delayed}` : "";
  return `{"events":[${records.join(",")}],"next":${next},"sequence":${session.timeline.sequence}${waiting}}`;
}
