import { CHAT_LIMITS, type ChatMeta, type RunEvent } from "@debug-bridge/protocol";
import { messageText } from "../runs/message-text.js";

/** A chat's metadata after an event. The same event twice changes nothing more, so a transcript can be read again. */
export function foldEvent(meta: ChatMeta, event: RunEvent): ChatMeta {
  const next = { ...meta, updated: later(meta.updated, event.timestamp) };
  switch (event.event) {
    case "run.started":
      return next.title === "" ? { ...next, title: titleOf(messageText(event.payload)) } : next;
    case "run.provider_session":
      return withState(next, event.payload.provider, { sessionId: event.payload.sessionId });
    case "run.usage":
      return withState(next, event.payload.provider, { latestUsage: event.payload.usage });
    default:
      return next;
  }
}

/** Times in ISO form sort as texts. */
const later = (a: string, b: string): string => [a, b].sort()[1] as string;

type ProviderState = ChatMeta["providerState"][string];

function withState(meta: ChatMeta, provider: string, change: ProviderState): ChatMeta {
  const state = { ...meta.providerState[provider], ...change };
  return { ...meta, providerState: { ...meta.providerState, [provider]: state } };
}

/** The first line of the first message, cut to the length of a title. */
function titleOf(message: string): string {
  const line = message.trim().split(/[\r\n]/, 1)[0] ?? "";
  const characters = [...line];
  const max = Math.min(80, CHAT_LIMITS.title);
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : line;
}
