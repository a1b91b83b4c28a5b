import { backoffDelay, type RunEvent } from "@debug-bridge/protocol";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { HubRefusal } from "../hub/access.js";
import type { ChatClient, TranscriptPage } from "../hub/chat-client.js";
import { append, type Conversation, EMPTY_CONVERSATION, prepend } from "./turns.js";

/** How many events are read at once. */
const PAGE = 200;
const RETRY = { firstMs: 200, maxMs: 5_000 };

export interface ConversationState extends Conversation {
  readonly phase: "loading" | "live" | "lost" | "gone";
  /** What to ask for to get the part before; null at the beginning. */
  readonly earlier: number | null;
}

type Change =
  | { readonly kind: "reset" }
  | { readonly kind: "phase"; readonly phase: ConversationState["phase"] }
  | { readonly kind: "opened" | "earlier"; readonly page: TranscriptPage }
  | { readonly kind: "newer"; readonly events: readonly RunEvent[] };

const INITIAL: ConversationState = { ...EMPTY_CONVERSATION, phase: "loading", earlier: null };

function reduce(state: ConversationState, change: Change): ConversationState {
  switch (change.kind) {
    case "reset":
      return INITIAL;
    case "phase":
      return { ...state, phase: change.phase };
    case "opened":
      return {
        ...append(EMPTY_CONVERSATION, change.page.events),
        phase: "live",
        earlier: change.page.earlier,
      };
    case "earlier":
      return {
        ...prepend(state, change.page.events),
        phase: state.phase,
        earlier: change.page.earlier,
      };
    case "newer":
      return { ...state, ...append(state, change.events) };
  }
}

/**
 * The newest part of a chat, kept up to date by its event stream, and a function that loads what is before. The stream
 * is the same for every window, so they all agree.
 */
export function useConversation(
  client: ChatClient,
  chatId: string | undefined,
): readonly [ConversationState, () => Promise<void>] {
  const [state, dispatch] = useReducer(reduce, INITIAL);
  useEffect(() => {
    dispatch({ kind: "reset" });
    if (chatId === undefined) return;
    const controller = new AbortController();
    void followChat(client, chatId, controller.signal, (change) => {
      if (!controller.signal.aborted) dispatch(change);
    });
    return () => controller.abort();
  }, [client, chatId]);

  const { earlier } = state;
  const loading = useRef("");
  const loadEarlier = useCallback(async () => {
    const wanted = `${chatId} ${earlier}`;
    if (chatId === undefined || earlier === null || loading.current === wanted) return;
    loading.current = wanted;
    const page = await client.page(chatId, PAGE, earlier).catch(() => undefined);
    // The person may have opened another chat meanwhile.
    if (loading.current !== wanted) return;
    if (page) dispatch({ kind: "earlier", page });
    else loading.current = "";
  }, [client, chatId, earlier]);
  return [state, loadEarlier];
}

async function followChat(
  client: ChatClient,
  chatId: string,
  signal: AbortSignal,
  dispatch: (change: Change) => void,
): Promise<void> {
  let last: number | undefined;
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      if (last === undefined) {
        const page = await client.page(chatId, PAGE, undefined, signal);
        dispatch({ kind: "opened", page });
        last = page.events.at(-1)?.sequence ?? 0;
      }
      const onEvents = (events: readonly RunEvent[]): void => {
        attempt = 0;
        last = events.at(-1)?.sequence ?? last;
        dispatch({ kind: "newer", events });
      };
      await client.follow(chatId, last, signal, () => dispatch({ kind: "phase", phase: "live" }), onEvents);
    } catch (thrown) {
      if (signal.aborted) return;
      if (thrown instanceof HubRefusal && thrown.status === 404)
        return dispatch({ kind: "phase", phase: "gone" });
    }
    if (signal.aborted) return;
    dispatch({ kind: "phase", phase: "lost" });
    await new Promise((resolve) => setTimeout(resolve, backoffDelay(attempt, RETRY)));
  }
}
