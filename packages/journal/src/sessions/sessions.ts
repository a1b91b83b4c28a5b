import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";

import { FIELD_LIMITS, type IndexFile, type SessionFile } from "@debug-bridge/protocol";
import { readRegular } from "../lines/regular-file.js";
import { replaceFile } from "../lines/replace-file.js";
import { isActive } from "./liveness.js";
import { debugPaths } from "./paths.js";

/** Limits the retries when other processes keep starting and ending sessions. */
const MAX_ROUNDS = 100;

/**
 * Reads `session.json` of a folder; undefined when it is missing or not valid. The id is always the folder's name and not
 * the one in the file, because it becomes part of paths.
 */
export function readSession(folder: string): SessionFile | undefined {
  try {
    const value: unknown = JSON.parse(readRegular(join(folder, "session.json")));
    return isSession(value) ? { ...withoutInvalid(value), id: basename(resolve(folder)) } : undefined;
  } catch {
    return undefined;
  }
}

/** Every session below a root with a `session.json`, oldest first. */
export function readSessions(root: string): SessionFile[] {
  const { sessions } = debugPaths(root);
  return folderNames(sessions)
    .map((name) => readSession(join(sessions, name)))
    .filter((session) => session !== undefined)
    .sort((a, b) => (a.startTime < b.startTime ? -1 : a.startTime > b.startTime ? 1 : 0));
}

/** The running agents, oldest first. Recordings of a hub are not included. */
export function activeSessions(root: string): SessionFile[] {
  return [...readSessions(root), ...onlyIndexed(root)].filter(
    (session) => (session.kind === undefined || session.kind === "agent") && isActive(session),
  );
}

/** The sessions in `index.json`: the running ones, if it is up to date. The cost depends only on their number. */
export function readIndex(root: string): SessionFile[] {
  try {
    const { sessions } = JSON.parse(readRegular(debugPaths(root).index, { linkedFolder: true })) as {
      sessions?: unknown;
    };
    return Array.isArray(sessions) ? sessions.filter(isSession).map(withoutInvalid) : [];
  } catch {
    return [];
  }
}

/** Agents of other programs that are in the index and have no valid `session.json`. */
function onlyIndexed(root: string): SessionFile[] {
  const { sessions } = debugPaths(root);
  const entries = readIndex(root);
  if (entries.length === 0) return [];
  const names = new Set(folderNames(sessions));
  return entries.filter(({ id }) => names.has(id) && !readSession(join(sessions, id)));
}

/**
 * Writes `index.json` again from the folders. It needs no lock: after writing, it reads the folders once more and writes
 * again if they changed. So the last write contains every session that existed before it, and a session that is created
 * later writes the index itself.
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

/** Names of the folders in a folder; none if it does not exist. */
export function folderNames(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
