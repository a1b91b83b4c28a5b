import { existsSync } from "node:fs";
import { join } from "node:path";
import { debugPaths, folderNames, readLines, readSession } from "@debug-bridge/journal";
import { parseEvent } from "../events/event-line.js";

/** A session of an agent that left its events and no valid `session.json`. */
export interface UndescribedSession {
  readonly id: string;
  readonly startTime: string;
  readonly cwd: string;
  readonly provider?: string;
  readonly model?: string;
}

/** The sessions below a root that only their events describe. codi removes the other files when it ends. */
export function undescribedSessions(root: string, known: ReadonlySet<string>): UndescribedSession[] {
  const { sessions } = debugPaths(root);
  return folderNames(sessions)
    .filter((id) => !known.has(id) && existsSync(join(sessions, id, "events.jsonl")))
    .filter((id) => readSession(join(sessions, id)) === undefined)
    .map((id) => describe(id, join(sessions, id, "events.jsonl")));
}

function describe(id: string, file: string): UndescribedSession {
  const { timestamp, data } = firstEvent(file) ?? {};
  const { cwd, provider, model } = (typeof data === "object" && data !== null ? data : {}) as Record<
    string,
    unknown
  >;
  return {
    id,
    startTime: typeof timestamp === "string" ? timestamp : "",
    cwd: typeof cwd === "string" ? cwd : "",
    ...(typeof provider === "string" ? { provider } : {}),
    ...(typeof model === "string" ? { model } : {}),
  };
}

function firstEvent(file: string): ReturnType<typeof parseEvent> {
  try {
    for (const { text } of readLines(file, 0, false)) return parseEvent(text);
  } catch {
    // Not a regular file.
  }
  return undefined;
}
