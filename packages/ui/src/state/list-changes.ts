import type { ChatFeedEvent } from "@debug-bridge/protocol";
import type { ChatList, FoundChat } from "../hub/chat-client.js";

/** The list after changes of chats, the one that was used last first. Archived chats are not in it. */
export function withChanges(list: ChatList, changes: readonly ChatFeedEvent[]): ChatList {
  const chats = new Map(list.chats.map((chat) => [chat.id, chat]));
  for (const { event, payload } of changes) {
    if (event === "chat.deleted" || payload.archived) chats.delete(payload.id);
    else chats.set(payload.id, payload);
  }
  return { ...list, chats: [...chats.values()].sort(byUse) };
}

const byUse = (a: FoundChat, b: FoundChat): number =>
  a.updated === b.updated ? compare(b.id, a.id) : compare(b.updated, a.updated);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
