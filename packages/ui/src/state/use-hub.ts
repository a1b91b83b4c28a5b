import type { SessionSummary } from "@debug-bridge/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import { HubProblem, HubRefusal } from "../hub/access.js";
import type { AgentProvider, ChatClient, ChatList } from "../hub/chat-client.js";

/** Whether the hub answers, and what it knows. What was known stays while it is lost. */
export interface HubState {
  readonly connection: "connecting" | "live" | "lost" | "refused";
  /** What is in the way, in words for the person. */
  readonly problem?: string;
  readonly list?: ChatList;
  readonly sessions: readonly SessionSummary[];
  readonly providers: readonly AgentProvider[];
}

const REFRESH_MS = 2_000;
const HIDDEN_REFRESH_MS = 15_000;

/** Keeps the lists of chats, sessions and agents up to date. Returns them and a function that refreshes them now. */
export function useHub(client: ChatClient, query: string): readonly [HubState, () => void] {
  const [state, setState] = useState<HubState>({ connection: "connecting", sessions: [], providers: [] });
  const refreshNow = useRef(() => {});
  useEffect(() => {
    let isOpen = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async (): Promise<void> => {
      clearTimeout(timer);
      try {
        const [list, sessions, providers] = await Promise.all([
          client.chats(query),
          client.sessions(),
          client.providers(),
        ]);
        if (isOpen) setState({ connection: "live", list, sessions, providers });
      } catch (thrown) {
        if (isOpen) setState((before) => ({ ...before, ...failureOf(thrown) }));
      }
      clearTimeout(timer);
      const delay = document.visibilityState === "visible" ? REFRESH_MS : HIDDEN_REFRESH_MS;
      if (isOpen) timer = setTimeout(refresh, delay);
    };
    refreshNow.current = () => void refresh();
    const onVisible = (): void => void (document.visibilityState === "visible" && refresh());
    document.addEventListener("visibilitychange", onVisible);
    void refresh();
    return () => {
      isOpen = false;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [client, query]);
  return [state, useCallback(() => refreshNow.current(), [])];
}

/** What a failed request says about the connection. */
function failureOf(thrown: unknown): Pick<HubState, "connection" | "problem"> {
  if (thrown instanceof HubProblem || thrown instanceof HubRefusal)
    return { connection: "refused", problem: thrown.message };
  return { connection: "lost", problem: "The hub is not reachable. Start it with: debug-bridge up" };
}
