import type { SessionSummary } from "@debug-bridge/protocol";
import { useEffect, useState } from "react";
import { HubProblem, HubRefusal } from "../hub/access.js";
import type { AgentProvider, ChatClient } from "../hub/chat-client.js";

/** Whether the hub answers, and what it knows. What was known stays while it is lost. */
export interface HubState {
  readonly connection: "connecting" | "live" | "lost" | "refused";
  /** What is in the way, in words for the person. */
  readonly problem?: string;
  readonly sessions: readonly SessionSummary[];
  readonly providers: readonly AgentProvider[];
}

const REFRESH_MS = 2_000;
const HIDDEN_REFRESH_MS = 15_000;

/** Keeps the lists of sessions and agents up to date. */
export function useHub(client: ChatClient): HubState {
  const [state, setState] = useState<HubState>({ connection: "connecting", sessions: [], providers: [] });
  useEffect(() => {
    let isOpen = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async (): Promise<void> => {
      clearTimeout(timer);
      try {
        const [sessions, providers] = await Promise.all([client.sessions(), client.providers()]);
        if (isOpen) setState((before) => unlessSame(before, { connection: "live", sessions, providers }));
      } catch (thrown) {
        if (isOpen) setState(({ sessions, providers }) => ({ sessions, providers, ...failureOf(thrown) }));
      }
      clearTimeout(timer);
      const delay = document.visibilityState === "visible" ? REFRESH_MS : HIDDEN_REFRESH_MS;
      if (isOpen) timer = setTimeout(refresh, delay);
    };
    const onVisible = (): void => void (document.visibilityState === "visible" && refresh());
    document.addEventListener("visibilitychange", onVisible);
    void refresh();
    return () => {
      isOpen = false;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [client]);
  return state;
}

/** The state before, if the new one says the same: then nothing has to be drawn again. */
function unlessSame(before: HubState, now: HubState): HubState {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

/** What a failed request says about the connection. */
function failureOf(thrown: unknown): Pick<HubState, "connection" | "problem"> {
  if (thrown instanceof HubProblem || thrown instanceof HubRefusal)
    return { connection: "refused", problem: thrown.message };
  return { connection: "lost", problem: "The hub is not reachable. Start it with: debug-bridge up" };
}
