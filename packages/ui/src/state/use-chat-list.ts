import type { ChatFeedEvent } from "@debug-bridge/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ChatClient, ChatList } from "../hub/chat-client.js";
import { withChanges } from "./list-changes.js";
import { followTogether } from "./shared-feed.js";

const SEARCH_DELAY_MS = 500;

/**
 * The chats, or those that contain `query`: read once, then kept up to date by the hub's feed. Returns them and a
 * function that reads them again.
 */
export function useChatList(client: ChatClient, query: string): readonly [ChatList | undefined, () => void] {
  const [list, setList] = useState<ChatList>();
  const readNow = useRef(() => {});
  const onEvents = useRef((_events: readonly ChatFeedEvent[]) => {});
  useEffect(() => {
    let isOpen = true;
    let round = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** What changed while the list was on its way: it may be older. */
    let missed: ChatFeedEvent[] = [];
    const read = async (): Promise<void> => {
      const own = ++round;
      missed = [];
      const found = await client.chats(query).catch(() => undefined);
      if (isOpen && own === round && found) setList(query === "" ? withChanges(found, missed) : found);
    };
    readNow.current = () => void read();
    onEvents.current = (events) => {
      missed.push(...events);
      if (query === "") setList((before) => before && withChanges(before, events));
      else {
        // Whether a changed chat still contains the query is for the hub to say.
        clearTimeout(timer);
        timer = setTimeout(read, SEARCH_DELAY_MS);
      }
    };
    void read();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [client, query]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    followTogether<ChatFeedEvent>(
      "debug-bridge-chats",
      signal,
      (onOpen, onNew) => client.followList(signal, onOpen, onNew),
      (news) => ("opened" in news ? readNow.current() : onEvents.current(news.events)),
    );
    return () => controller.abort();
  }, [client]);
  return [list, useCallback(() => readNow.current(), [])];
}
