import { followTogether } from "@debug-bridge/ui/state/shared-feed.js";
import { useEffect, useReducer } from "react";
import { type DashboardApi, type FeedEvent, RefusedError } from "./dashboard-api.js";
import { type HubChange, type HubState, INITIAL_STATE, reduceHub } from "./hub-state.js";

/** Counters of a session change without an event. */
const REFRESH_MS = 3_000;

/** Keeps the state of the hub up to date until `signal` is aborted. The dashboards of one browser share one connection for it, whatever they show. */
function followHub(client: DashboardApi, signal: AbortSignal, dispatch: (change: HubChange) => void): void {
  const following = new AbortController();
  const isOpen = (): boolean => !signal.aborted && !following.signal.aborted;
  const stop = (): void => {
    clearInterval(timer);
    following.abort();
  };
  const list = async (): Promise<void> => {
    try {
      dispatch({ kind: "listed", ...(await client.sessions(signal)) });
    } catch (thrown) {
      if (!isOpen()) return;
      if (!(thrown instanceof RefusedError)) return dispatch({ kind: "lost", at: Date.now() });
      // It needs another token, and with it another client.
      dispatch({ kind: "refused", problem: thrown.message });
      stop();
    }
  };
  const timer = setInterval(() => {
    if (document.visibilityState === "visible") void list();
  }, REFRESH_MS);
  signal.addEventListener("abort", stop, { once: true });
  void list();
  followTogether<FeedEvent>(
    `debug-bridge hub ${client.token ?? ""}`,
    following.signal,
    async (onOpen, onEvents) => {
      await client.followChanges(following.signal, onOpen, (event) => onEvents([event])).catch(() => {});
      if (isOpen()) dispatch({ kind: "lost", at: Date.now() });
    },
    (news) => {
      if ("opened" in news) {
        void list();
        // For what was recorded while nobody listened.
        client.reportAdded();
      } else
        for (const event of news.events)
          if (event.type === "added") client.reportAdded(event.sessions);
          else dispatch({ kind: "event", event });
    },
  );
}

/** The state of the hub, kept up to date while the component is mounted. */
export function useHub(client: DashboardApi): HubState {
  const [state, dispatch] = useReducer(reduceHub, INITIAL_STATE);
  useEffect(() => {
    const controller = new AbortController();
    followHub(client, controller.signal, (change) => {
      if (!controller.signal.aborted) dispatch(change);
    });
    return () => controller.abort();
  }, [client]);
  return state;
}
