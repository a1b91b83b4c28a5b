import { backoffDelay, type RunEvent } from "@debug-bridge/protocol";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { HubRefusal } from "../hub/access.js";
import type { ChatClient } from "../hub/chat-client.js";
import { append, type Conversation, EMPTY_CONVERSATION, prepend } from "./turns.js";

/** How many events are read at once. */
const WINDOW = 300;
const RETRY = { firstMs: 200, maxMs: 5_000 };

export interface ConversationState extends Conversation {
  readonly phase: "loading" | "live" | "lost" | "gone";
  readonly problem?: string;
}

type Change =
  | { readonly kind: "reset" }
  | { readonly kind: "phase"; readonly phase: ConversationState["phase"]; readonly problem?: string }
  | { readonly kind: "newer" | "older"; readonly events: readonly RunEvent[] };

const INITIAL: ConversationState = { ...EMPTY_CONVERSATION, phase: "loading" };

function reduce(state: ConversationState, change: Change): ConversationState {
  switch (change.kind) {
    case "reset":
      return INITIAL;
    case "phase": {
      const { problem: _old, ...rest } = state;
      return {
        ...rest,
        phase: change.phase,
        ...(change.problem === undefined ? {} : { problem: change.problem }),
      };
    }
    case "newer":
      return { ...state, ...append(state, change.events) };
    case "older":
      return { ...state, ...prepend(state, change.events) };
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

  const first = state.events[0]?.sequence ?? 1;
  const loading = useRef("");
  const loadOlder = useCallback(async () => {
    const wanted = `${chatId} ${first}`;
    if (chatId === undefined || first <= 1 || loading.current === wanted) return;
    loading.current = wanted;
    const since = Math.max(0, first - 1 - WINDOW);
    const events = await client.transcript(chatId, since, first - 1 - since).catch(() => undefined);
    // The person may have opened another chat meanwhile.
    if (events && loading.current === wanted && events[0]?.sessionId === chatId)
      dispatch({ kind: "older", events });
    else if (loading.current === wanted) loading.current = "";
  }, [client, chatId, first]);
  return [state, loadOlder];
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
      const { sequence = 0 } = await client.chat(chatId, signal);
      const newest = sequence;
      last ??= Math.max(0, sequence - WINDOW);
      if (last >= newest) dispatch({ kind: "phase", phase: "live" });
      attempt = 0;
      await client.follow(chatId, last, signal, (events) => {
        const before = last ?? 0;
        last = events.at(-1)?.sequence ?? before;
        dispatch({ kind: "newer", events });
        if (before < newest && last >= newest) dispatch({ kind: "phase", phase: "live" });
      });
    } catch (thrown) {
      if (signal.aborted) return;
      if (thrown instanceof HubRefusal && thrown.status === 404)
        return dispatch({ kind: "phase", phase: "gone", problem: thrown.message });
    }
    if (signal.aborted) return;
    dispatch({ kind: "phase", phase: "lost", problem: "The hub is not reachable; trying again…" });
    await new Promise((resolve) => setTimeout(resolve, backoffDelay(attempt, RETRY)));
  }
}
