import type { ChatSummary } from "@debug-bridge/protocol";
import { answerOf, turnsOf } from "../runs/turns.js";
import type { ChatStore } from "../store/chat-store.js";
import { readTranscript, transcriptBytes } from "./transcript.js";

/** How much text one search reads; chats beyond it are searched by their titles only. */
const MAX_SEARCH_BYTES = 64 * 1024 * 1024;
const MAX_FOUND = 100;
const SNIPPET_CHARACTERS = 80;

interface FoundChat extends ChatSummary {
  /** The text around the first match in a message or an answer. */
  readonly snippet?: string;
}

export interface SearchResult {
  readonly chats: readonly FoundChat[];
  /** Whether the texts of some chats were not searched. */
  readonly partial: boolean;
}

/** Finds chats by their title, the person's messages and the agent's answers, without regard to case. */
export async function searchChats(store: ChatStore, query: string): Promise<SearchResult> {
  const wanted = query.toLowerCase();
  const chats: FoundChat[] = [];
  let bytes = 0;
  let partial = false;
  for (const chat of store.list()) {
    if (chats.length === MAX_FOUND) return { chats, partial: true };
    const { transcript } = store.folder(chat.id);
    bytes += transcriptBytes(transcript);
    const isRead = bytes <= MAX_SEARCH_BYTES;
    partial ||= !isRead;
    const snippet = isRead ? snippetOf(transcript, chat.id, wanted) : undefined;
    if (snippet !== undefined) chats.push({ ...chat, snippet });
    else if (chat.title.toLowerCase().includes(wanted)) chats.push(chat);
    // Others get their turn between two files.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { chats, partial };
}

function snippetOf(file: string, id: string, wanted: string): string | undefined {
  for (const turn of turnsOf(readTranscript(file, id)))
    for (const text of [turn.message, answerOf(turn)]) {
      const at = text.toLowerCase().indexOf(wanted);
      if (at !== -1)
        return text.slice(Math.max(0, at - SNIPPET_CHARACTERS), at + wanted.length + SNIPPET_CHARACTERS);
    }
  return undefined;
}
