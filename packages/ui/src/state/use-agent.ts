import { useCallback, useEffect, useRef, useState } from "react";
import type { AgentControl, ChatClient } from "../hub/chat-client.js";
import { type AgentPosition, type AgentStop, afterRecord, RUNNING } from "./agent-stop.js";

const REFRESH_MS = 700;

export interface AgentState {
  /** Why it waits; undefined while it runs. */
  readonly stop: AgentStop;
  /** Sends a command to the agent; resolves when the agent has taken it. */
  control(type: AgentControl): Promise<void>;
}

/** Whether and why the agent of a session waits, as its own records say: another window or program may have done it. */
export function useAgent(client: ChatClient, session: string): AgentState {
  const [position, setPosition] = useState<AgentPosition>(RUNNING);
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
      const { events = [] } = found ?? {};
      if (events.length > 0) setPosition((before) => events.reduce(afterRecord, before));
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
      // It goes on from now. If it pauses again, its records say so.
      if (type !== "pause") setPosition(RUNNING);
      try {
        await client.control(session, type);
      } catch (thrown) {
        if (type !== "pause") setPosition(position);
        throw thrown;
      }
      lookNow.current();
    },
    [client, session, position],
  );
  return { stop: position.stop, control };
}
