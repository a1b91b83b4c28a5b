import { backoffDelay } from "@debug-bridge/protocol";
import { useEffect, useReducer } from "react";
import { type FeedEvent, followFeed, listSessions, RefusedError } from "./api.js";
import { type HubChange, type HubState, INITIAL_STATE, reduceHub } from "./hub-state.js";

const RETRY = { firstMs: 500, maxMs: 5_000 };
/** Events are shown in batches. */
const BATCH_MS = 100;

/** Keeps the state of the hub up to date. Reconnects when the hub is lost, until `signal` is aborted. */
async function followHub(
  token: string | undefined,
  signal: AbortSignal,
  dispatch: (change: HubChange) => void,
): Promise<void> {
  let pending: FeedEvent[] = [];
  const flush = (): void => {
    const events = pending;
    pending = [];
    if (!signal.aborted) dispatch({ kind: "events", events });
  };
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      dispatch({ kind: "listed", ...(await listSessions(token, signal)) });
      attempt = 0;
      await followFeed(token, signal, (event) => {
        if (pending.push(event) === 1) setTimeout(flush, BATCH_MS);
      });
    } catch (thrown) {
      if (thrown instanceof RefusedError) return dispatch({ kind: "refused", problem: thrown.message });
    }
    if (signal.aborted) return;
    dispatch({ kind: "lost" });
    await new Promise((resolve) => setTimeout(resolve, backoffDelay(attempt, RETRY)));
  }
}

/** The state of the hub, kept up to date while the component is mounted. */
export function useHub(token: string | undefined): HubState {
  const [state, dispatch] = useReducer(reduceHub, INITIAL_STATE);
  useEffect(() => {
    const controller = new AbortController();
    void followHub(token, controller.signal, dispatch);
    return () => controller.abort();
  }, [token]);
  return state;
}
