import type { SessionSummary, TimelineRecord } from "@debug-bridge/protocol";
import { useEffect, useReducer } from "react";
import { type FeedEvent, followFeed, listSessions, RefusedError } from "./api.js";

const MOST_RECORDS = 500;
const RETRY_MS = 1_000;

export interface HubState {
  readonly connection: "connecting" | "live" | "lost" | "refused";
  readonly problem?: string;
  readonly sessions: ReadonlyMap<string, SessionSummary>;
  /** Newest last. */
  readonly records: readonly TimelineRecord[];
}

type Change =
  | { readonly kind: "listed"; readonly sessions: readonly SessionSummary[] }
  | { readonly kind: "events"; readonly events: readonly FeedEvent[] }
  | { readonly kind: "connection"; readonly connection: HubState["connection"]; readonly problem?: string };

const EMPTY: HubState = { connection: "connecting", sessions: new Map(), records: [] };

function reduce(state: HubState, change: Change): HubState {
  switch (change.kind) {
    case "listed":
      return {
        connection: "live",
        sessions: new Map(change.sessions.map((session) => [session.id, session])),
        records: [],
      };
    case "connection":
      return {
        ...state,
        connection: change.connection,
        ...(change.problem ? { problem: change.problem } : {}),
      };
    case "events": {
      const sessions = new Map(state.sessions);
      const fresh: TimelineRecord[] = [];
      for (const event of change.events) {
        if ("sequence" in event) fresh.push(event);
        else sessions.set(event.data.id, event.data);
      }
      return { ...state, sessions, records: [...state.records, ...fresh].slice(-MOST_RECORDS) };
    }
  }
}

/** What the hub knows, kept up to date; a lost hub is looked for again. */
export function useHub(token: string | undefined): HubState {
  const [state, dispatch] = useReducer(reduce, EMPTY);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let waiting: FeedEvent[] = [];
    const flush = (): void => {
      const events = waiting;
      waiting = [];
      dispatch({ kind: "events", events });
    };
    const follow = async (): Promise<void> => {
      dispatch({ kind: "listed", sessions: await listSessions(token, signal) });
      await followFeed(token, signal, (event) => {
        if (waiting.push(event) === 1) setTimeout(flush, 100);
      });
    };
    const loop = async (): Promise<void> => {
      while (!signal.aborted) {
        const problem = await follow().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (signal.aborted) return;
        if (problem instanceof RefusedError) {
          dispatch({ kind: "connection", connection: "refused", problem: problem.message });
          return;
        }
        dispatch({ kind: "connection", connection: "lost" });
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    };
    void loop();
    return () => controller.abort();
  }, [token]);
  return state;
}
