import { useCallback, useEffect, useRef, useState } from "react";
import type { AgentControl, ChatClient } from "../hub/chat-client.js";

const REFRESH_MS = 700;

export interface AgentState {
  readonly isPaused: boolean;
  /** Sends a command to the agent. What the agent has done is known when this resolves. */
  control(type: AgentControl): Promise<void>;
}

/** Whether the agent of a session is paused, as its own records say: another window or program may have done it. */
export function useAgent(client: ChatClient, session: string): AgentState {
  const [isPaused, setPaused] = useState(false);
  const lookNow = useRef(() => {});
  useEffect(() => {
    let isOpen = true;
    let since = 0;
    let round = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      clearTimeout(timer);
      const own = ++round;
      const found = await client.agentRecords(session, since).catch(() => undefined);
      // A later look has the same records, and perhaps more.
      if (!isOpen || own !== round) return;
      const last = found?.events.filter(({ type }) => type === "paused" || type === "resumed").at(-1);
      if (last) setPaused(last.type === "paused");
      since = found?.next ?? since;
      timer = setTimeout(look, REFRESH_MS);
    };
    lookNow.current = () => void look();
    void look();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [client, session]);
  const control = useCallback(
    async (type: AgentControl) => {
      await client.control(session, type);
      // The agent has answered, so it goes on now. If it pauses again, its records say so.
      if (type !== "pause") setPaused(false);
      lookNow.current();
    },
    [client, session],
  );
  return { isPaused, control };
}
