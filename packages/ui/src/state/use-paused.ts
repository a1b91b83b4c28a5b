import { useEffect, useState } from "react";
import type { ChatClient } from "../hub/chat-client.js";

const REFRESH_MS = 700;

/** Whether the agent of a session is paused, as its own records say: another window or program may have done it. */
export function usePaused(client: ChatClient, session: string): boolean {
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    let isOpen = true;
    let since = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const found = await client.agentRecords(session, since).catch(() => undefined);
      if (!isOpen) return;
      const last = found?.events.filter(({ type }) => type === "paused" || type === "resumed").at(-1);
      if (last) setPaused(last.type === "paused");
      since = found?.next ?? since;
      timer = setTimeout(look, REFRESH_MS);
    };
    void look();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [client, session]);
  return isPaused;
}
