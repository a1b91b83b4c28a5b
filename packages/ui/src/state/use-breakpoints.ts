import type { SimpleBreakpoint } from "@debug-bridge/protocol";
import { useCallback, useEffect, useState } from "react";
import type { ChatClient } from "../hub/chat-client.js";

type List = readonly SimpleBreakpoint[];

/**
 * Where the agents of a chat stop. `listed` is what the list of chats says: another window may change it. Those of a chat
 * that does not exist yet are kept here, for its first message.
 */
export function useBreakpoints(
  client: ChatClient,
  chatId: string | undefined,
  listed: List | undefined,
  onProblem: (problem: string) => void,
): readonly [List, (breakpoints: List) => void] {
  const [breakpoints, setBreakpoints] = useState<List>([]);
  useEffect(() => {
    let isOpen = true;
    if (chatId === undefined) setBreakpoints([]);
    else
      client.chat(chatId).then(
        (chat) => isOpen && setBreakpoints(chat.breakpoints ?? []),
        // The conversation says what is wrong.
        () => {},
      );
    return () => {
      isOpen = false;
    };
  }, [client, chatId]);
  useEffect(() => {
    if (listed) setBreakpoints(listed);
  }, [listed]);
  const change = useCallback(
    (next: List): void => {
      setBreakpoints(next);
      if (chatId === undefined) return;
      client.change(chatId, { breakpoints: [...next] }).catch((thrown: Error) => {
        setBreakpoints(breakpoints);
        onProblem(thrown.message);
      });
    },
    [client, chatId, breakpoints, onProblem],
  );
  return [breakpoints, change];
}
