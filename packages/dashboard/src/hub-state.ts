import type { SessionSummary, TimelineRecord } from "@debug-bridge/protocol";
import type { FeedEvent } from "./api.js";

const MAX_RECORDS = 500;

/** What the page knows about the hub. */
export interface HubState {
  readonly connection: "connecting" | "live" | "lost" | "refused";
  /** Why the hub refused, in its own words. */
  readonly problem?: string;
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  /** Clients that wait because the person shares no tab. */
  readonly waiting: readonly string[];
  /** Newest last. */
  readonly records: readonly TimelineRecord[];
}

export type HubChange =
  | {
      readonly kind: "listed";
      readonly sessions: readonly SessionSummary[];
      readonly waiting: readonly string[];
    }
  | { readonly kind: "events"; readonly events: readonly FeedEvent[] }
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly problem: string };

export const INITIAL_STATE: HubState = {
  connection: "connecting",
  sessions: new Map(),
  waiting: [],
  records: [],
};

/** The state after a change. Records start again with each connection, since the hub sends the latest ones first. */
export function reduceHub(state: HubState, change: HubChange): HubState {
  switch (change.kind) {
    case "listed":
      return {
        connection: "live",
        sessions: new Map(change.sessions.map((session) => [session.id, session])),
        waiting: change.waiting,
        records: [],
      };
    case "lost":
      return { ...state, connection: "lost" };
    case "refused":
      return { ...state, connection: "refused", problem: change.problem };
    case "events": {
      const sessions = new Map(state.sessions);
      const added: TimelineRecord[] = [];
      let { waiting } = state;
      for (const event of change.events) {
        if ("sequence" in event) added.push(event);
        else if (event.type === "waiting") waiting = event.clients;
        else sessions.set(event.data.id, event.data);
      }
      return { ...state, sessions, waiting, records: [...state.records, ...added].slice(-MAX_RECORDS) };
    }
  }
}
