import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { FIELD_LIMITS, type IndexFile, type SessionFile } from "@debug-bridge/protocol";
import { isActive } from "./liveness.js";
import { debugPaths } from "./paths.js";
import { readRegular } from "./regular-file.js";
import { replaceFile } from "./replace-file.js";

/** Sessions that another process keeps starting and ending cannot keep this one at the index for ever. */
const MAX_ROUNDS = 100;

/**
 * What `session.json` of a folder says; nothing when it is not there or not one. The id is the folder's name, whatever
 * the file says: it becomes part of paths.
 */
export function readSession(folder: string): SessionFile | undefined {
  try {
    const value: unknown = JSON.parse(readRegular(join(folder, "session.json")));
    return isSession(value) ? { ...withoutInvalid(value), id: basename(resolve(folder)) } : undefined;
  } catch {
    return undefined;
  }
}

/** Every session below a root that left a `session.json`, oldest first. */
export function readSessions(root: string): SessionFile[] {
  const { sessions } = debugPaths(root);
  return folderNames(sessions)
    .map((name) => readSession(join(sessions, name)))
    .filter((session) => session !== undefined)
    .sort((a, b) => (a.startTime < b.startTime ? -1 : a.startTime > b.startTime ? 1 : 0));
}

/** The agents that can be debugged now, oldest first. What a hub records of other sessions is not among them. */
export function activeSessions(root: string): SessionFile[] {
  return [...readSessions(root), ...onlyIndexed(root)].filter(
    (session) => (session.kind === undefined || session.kind === "agent") && isActive(session),
  );
}

/** The sessions that `index.json` lists: those that run, as far as it is up to date. Its cost is theirs alone. */
export function readIndex(root: string): SessionFile[] {
  try {
    const { sessions } = JSON.parse(readRegular(debugPaths(root).index)) as { sessions?: unknown };
    return Array.isArray(sessions) ? sessions.filter(isSession).map(withoutInvalid) : [];
  } catch {
    return [];
  }
}

/** Agents of other programs that are in the index and wrote no `session.json` that we understand. */
function onlyIndexed(root: string): SessionFile[] {
  const { sessions } = debugPaths(root);
  const entries = readIndex(root);
  if (entries.length === 0) return [];
  const names = new Set(folderNames(sessions));
  return entries.filter(({ id }) => names.has(id) && !readSession(join(sessions, id)));
}

/**
 * Writes `index.json` anew from what the folders say. No lock is needed: whoever wrote it looks once more, and writes
 * again when the folders changed meanwhile. So the last write always shows every session that was there before it, and
 * the one that comes after it writes for itself.
 */
export function refreshIndex(root: string): void {
  const { index } = debugPaths(root);
  let written = "";
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const sessions = activeSessions(root).map(({ id, pid, startTime, cwd }) => ({ id, pid, startTime, cwd }));
    const text = `${JSON.stringify({ sessions } satisfies IndexFile, null, 2)}\n`;
    if (text === written) return;
    replaceFile(index, text);
    written = text;
  }
}

/** What describes a session and may be left out. Other programs write these files, so the type is checked. */
const DESCRIPTIONS = ["kind", "name", "provider", "model"] as const;

/** A session without descriptions that are no text or too long to show. */
function withoutInvalid(session: SessionFile): SessionFile {
  const kept = { ...session };
  for (const key of DESCRIPTIONS) {
    const value: unknown = kept[key];
    if (typeof value !== "string" || value.length > FIELD_LIMITS.line) delete kept[key];
  }
  return kept;
}

function isSession(value: unknown): value is SessionFile {
  if (typeof value !== "object" || value === null) return false;
  const { id, pid, startTime, cwd } = value as Partial<SessionFile>;
  return (
    typeof id === "string" &&
    typeof pid === "number" &&
    Number.isInteger(pid) &&
    pid > 0 &&
    typeof startTime === "string" &&
    typeof cwd === "string"
  );
}

/** Names of the folders in a folder that may not be there. */
export function folderNames(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
