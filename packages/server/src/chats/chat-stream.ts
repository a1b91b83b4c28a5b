import { followLines } from "@debug-bridge/journal";
import type { ChatFolder } from "./store/chat-folder.js";
import { offsetAfter, parseEvent } from "./transcript/transcript.js";

/**
 * Sends the events of one chat after `since`, then those that follow, each once and in order. It reads the transcript,
 * so a reader sees the same whichever hub runs the chat, and after a restart of the hub. Returns how to stop.
 */
export function streamChat(
  folder: ChatFolder,
  since: number,
  send: (json: string, sequence: number) => boolean,
): () => void {
  let last = since;
  let isOpen = true;
  const following = followLines(folder.transcript, {
    from: offsetAfter(folder.transcript, folder.id, since),
    onLine({ text }) {
      const event = isOpen ? parseEvent(text, folder.id) : undefined;
      if (!event || event.sequence <= last) return;
      last = event.sequence;
      isOpen = send(text, event.sequence);
    },
  });
  return () => {
    isOpen = false;
    following.close();
  };
}
