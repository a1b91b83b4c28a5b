import { existsSync } from "node:fs";
import { followLines, isActive, readSession } from "@debug-bridge/journal";
import type { AgentSession } from "./choose-session.js";
import { type FileEvent, parseEvent } from "./event-line.js";

/** How often it is checked that the agent still lives. */
const CHECK_EVERY_MS = 1_000;

export interface SessionListener {
  onEvent(event: FileEvent, line: string): void;
  /** The session ended, or its process is gone; nothing comes any more. */
  onOver(why: string): void;
}

/** Follows the events of a session from an offset on, and tells when it is over. The result stops it. */
export function followSession(
  session: AgentSession,
  from: number | "end",
  { onEvent, onOver }: SessionListener,
): () => void {
  const stop = (): void => {
    clearInterval(alive);
    following.close();
  };
  const end = (why: string): void => {
    stop();
    onOver(why);
  };
  const alive = setInterval(() => {
    if (!isOver(session)) return;
    following.read();
    end(`the session ${session.id} is over`);
  }, CHECK_EVERY_MS);
  const following = followLines(session.events, {
    from,
    onLine: ({ text }) => {
      const event = parseEvent(text);
      if (!event) return;
      onEvent(event, text);
      if (event.type === "session_end") setImmediate(() => end(`the session ${session.id} ended`));
    },
  });
  return stop;
}

/** A session without a `session.json` is of an agent that we know nothing of: it may go on at any time. */
function isOver({ folder }: AgentSession): boolean {
  const about = readSession(folder);
  return !existsSync(folder) || (about !== undefined && !isActive(about));
}
