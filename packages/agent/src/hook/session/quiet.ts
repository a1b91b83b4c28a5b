import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import {
  debugPaths,
  isActive,
  isAlive,
  QUIET_FILE,
  readSession,
  replaceFile,
  replaceLink,
} from "@debug-bridge/journal";

/** Some shells compare times of files in whole seconds. */
const SETTLED_MS = 2_000;

/**
 * Marks an agent that nothing can stop: its hooks are only written to the spool, by a shell (`hook.sh`). The mark gets
 * the time of the commands file, so that the shell notices when somebody writes a command.
 */
export function markQuiet(folder: string, commandsFile: string): void {
  const written = statSync(commandsFile).mtimeMs;
  // A command that is written in the same moment would not make the file newer.
  if (Date.now() - written < SETTLED_MS && statSync(commandsFile).size > 0) return;
  const mark = join(folder, QUIET_FILE);
  replaceFile(mark, "");
  const time = (written + 1) / 1_000;
  utimesSync(mark, time, time);
}

export function isMarkedQuiet(folder: string): boolean {
  return lstatSync(join(folder, QUIET_FILE), { throwIfNoEntry: false })?.isFile() ?? false;
}

export function unmarkQuiet(folder: string): void {
  rmSync(join(folder, QUIET_FILE), { force: true });
}

/** Lets a shell find the session of an agent by the agent's process. A process with several sessions has no link. */
export function linkOwner(root: string, owner: number, folder: string): void {
  const link = linkOf(root, owner);
  const linked = linkedSession(link);
  if (linked === basename(folder)) return;
  mkdirSync(quietFolder(root), { recursive: true, mode: 0o700 });
  removeLinksOfEnded(root);
  const other = linked === undefined ? undefined : readSession(join(debugPaths(root).sessions, linked));
  if (linked === "" || (other && other.pid === owner && isActive(other))) replaceFile(link, "several\n");
  else replaceLink(link, join("..", "..", "sessions", basename(folder)));
}

export function unlinkOwner(root: string, owner: number): void {
  rmSync(linkOf(root, owner), { force: true });
}

const quietFolder = (root: string): string => join(debugPaths(root).hooks, "quiet");
const linkOf = (root: string, owner: number): string => join(quietFolder(root), String(owner));

/** The session that a link names; empty for a process with several; undefined without a link. */
function linkedSession(link: string): string | undefined {
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (!found) return undefined;
  return found.isSymbolicLink() ? basename(readlinkSync(link)) : "";
}

function removeLinksOfEnded(root: string): void {
  for (const name of readdirSync(quietFolder(root)))
    if (!/^\d+$/.test(name) || !isAlive({ pid: Number(name) }))
      rmSync(join(quietFolder(root), name), { force: true });
}
