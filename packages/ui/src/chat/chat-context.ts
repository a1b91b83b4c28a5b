import { createContext, useContext } from "react";
import type { ChatClient } from "../hub/chat-client.js";

/** A picture to look at in full: its address, and what it is. */
export interface ShownPicture {
  readonly url: string;
  readonly label: string;
}

/** What parts of a conversation need, however deep they are. */
export interface ChatScope {
  readonly client: ChatClient;
  readonly chatId: string;
  onProblem(problem: string): void;
  showPicture(picture: ShownPicture): void;
}

const Context = createContext<ChatScope | undefined>(undefined);

export const ChatScopeProvider = Context.Provider;

export function useChatScope(): ChatScope {
  const scope = useContext(Context);
  if (!scope) throw new Error("a part of a conversation is shown outside of one");
  return scope;
}
