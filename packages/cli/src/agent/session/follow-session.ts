import { existsSync } from "node:fs";
import { join } from "node:path";
import { followLines, isActive, readSession } from "@debug-bridge/journal";
import { type FileEvent, parseEvent } from "../events/event-line.js";
import type { AgentSession } from "./choose-session.js";

/** How often to check that the agent is alive. */
const CHECK_INTERVAL_MS = 1_000;

export interface SessionListener {
  onEvent(event: FileEvent, line: string): void;
  /** The session ended, or its process is gone. No events follow. */
  onOver(why: string): void;
}

/** Follows the events of a session from an offset, and reports when it ends. Returns a function that stops. */
export function followSession(
  session: AgentSession,
  from: number | "end",
  { onEvent, onOver }: SessionListener,
): () => void {
  let stopped = false;
  let stopSpool = (): void => {};
  const stop = (): void => {
    stopped = true;
    stopSpool();
    clearInterval(alive);
    following.close();
  };
  // What a hook wrote to the spool becomes an event only when somebody reads it.
  if (session.about?.adapter === "hook")
    void import("@debug-bridge/agent/hook").then(({ followSpool }) => {
      if (!stopped) stopSpool = followSpool(join(session.folder, "..", "..", ".."));
    });
  const end = (why: string): void => {
    stop();
    onOver(why);
  };
  const alive = setInterval(() => {
    if (!isOver(session)) return;
    following.read();
    end(`the session ${session.id} has ended`);
  }, CHECK_INTERVAL_MS);
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

/** A session without a `session.json` belongs to an unknown agent, which may continue at any time. */
function isOver({ folder }: AgentSession): boolean {
  const about = readSession(folder);
  return !existsSync(folder) || (about !== undefined && !isActive(about));
}
