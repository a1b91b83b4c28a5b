import type { SessionSummary } from "@debug-bridge/protocol";
import type { FeedEvent, SessionList } from "./dashboard-api.js";

/** What the page knows about the hub. What was known stays while the hub is lost. */
export interface HubState {
  readonly connection: "connecting" | "live" | "lost" | "refused";
  /** Why the hub refused, in its own words. */
  readonly problem?: string;
  /** Since when the hub is lost. */
  readonly lostAt?: number;
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  /** Clients that wait because the person shares no tab. */
  readonly waiting: readonly string[];
}

export type HubChange =
  | ({ readonly kind: "listed" } & SessionList)
  | { readonly kind: "event"; readonly event: Exclude<FeedEvent, { type: "added" }> }
  | { readonly kind: "lost"; readonly at: number }
  | { readonly kind: "refused"; readonly problem: string };

export const INITIAL_STATE: HubState = { connection: "connecting", sessions: new Map(), waiting: [] };

/** The state after a change. */
export function reduceHub(state: HubState, change: HubChange): HubState {
  switch (change.kind) {
    case "listed":
      return {
        connection: "live",
        sessions: new Map(change.sessions.map((session) => [session.id, session])),
        waiting: change.waiting,
      };
    case "lost":
      return { ...state, connection: "lost", lostAt: state.lostAt ?? change.at };
    case "refused":
      return { ...state, connection: "refused", problem: change.problem };
    case "event": {
      const { event } = change;
      if (event.type === "waiting") return { ...state, waiting: event.clients };
      return { ...state, sessions: new Map(state.sessions).set(event.data.id, event.data) };
    }
  }
}
