import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readRegular } from "../lines/regular-file.js";
import { isActive } from "./liveness.js";
import { debugPaths } from "./paths.js";
import { folderNames, readSession, refreshIndex } from "./sessions.js";

/** File name of a hooked agent. Lock files in the same folder have other names. */
const HOOK_NAME = /^[0-9a-f]{32}$/;

/** How many session folders to keep by default. */
export const KEPT_SESSIONS = 20;

/**
 * Removes the oldest session folders and keeps the newest. Running sessions are never removed. Returns the names of the
 * removed folders.
 */
export function pruneSessions(root: string, keep = KEPT_SESSIONS): string[] {
  const { sessions } = debugPaths(root);
  const byAge = folderNames(sessions)
    .map((name) => ({ name, session: readSession(join(sessions, name)) }))
    .map(({ name, session }) => ({
      name,
      session,
      started: session?.startTime ?? statSync(join(sessions, name)).mtime.toISOString(),
    }))
    .sort((a, b) => (a.started < b.started ? 1 : -1));
  const removed = byAge
    .slice(keep)
    .filter(({ session }) => !(session && isActive(session)))
    .map(({ name }) => name);
  for (const name of removed) rmSync(join(sessions, name), { recursive: true, force: true });
  if (removed.length > 0) refreshIndex(root);
  forgetHooks(root);
  return removed;
}

/** Removes the files of hooked agents whose session no longer exists. */
function forgetHooks(root: string): void {
  const { hooks, sessions } = debugPaths(root);
  if (!existsSync(hooks)) return;
  for (const name of readdirSync(hooks)) {
    const file = join(hooks, name);
    if (!HOOK_NAME.test(name)) continue;
    const session = hookedSession(file);
    if (session === undefined || !existsSync(join(sessions, session))) rmSync(file, { force: true });
  }
}

/** The session that a hooked agent's file names; nothing when it is no such file. */
function hookedSession(file: string): string | undefined {
  try {
    return readRegular(file).trim();
  } catch {
    return undefined;
  }
}
