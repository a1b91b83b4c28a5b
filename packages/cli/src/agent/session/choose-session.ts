import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { homeFolder } from "@debug-bridge/client/files";
import {
  activeSessions,
  debugPaths,
  folderNames,
  isActive,
  readCurrent,
  readSession,
  rootOf,
} from "@debug-bridge/journal";
import { BridgeError, stripControlCharacters as printable, type SessionFile } from "@debug-bridge/protocol";

export interface SessionChoice extends RootChoice {
  /** By its id, the end of the id, or its name; the current one if left out. */
  readonly session?: string;
}

/** Where sessions are. */
export interface RootChoice {
  readonly home?: string;
  /** A root, its `debug` folder, or the folder of one session. */
  readonly dir?: string;
}

/** An agent's session on disk. */
export interface AgentSession {
  readonly id: string;
  readonly folder: string;
  readonly events: string;
  readonly commands: string;
  /** The content of `session.json`, if it exists. */
  readonly about: SessionFile | undefined;
}

const START_ADVICE =
  "start one (debug-bridge hook install claude-code, then claude; or debug-bridge agent run), or wait for it: debug-bridge agent attach --wait";

/** The folder of `--dir`, else the home. */
export function rootFor({ home, dir }: RootChoice): string {
  return dir === undefined ? homeFolder(home) : rootOf(dir);
}

/** The session with this name; without a name the only one that runs, else the current one. */
export function chooseSession(choice: SessionChoice): AgentSession {
  const { session, dir } = choice;
  if (dir !== undefined && session === undefined && existsSync(join(dir, "events.jsonl")))
    return sessionIn(realpathSync(dir));
  const root = rootFor(choice);
  const { sessions } = debugPaths(root);
  const id =
    session === undefined || session === "current" ? currentOf(root, session) : byName(root, session);
  if (id === undefined) {
    throw new BridgeError("session_not_found", `there is no agent session in ${root}; ${START_ADVICE}`);
  }
  const folder = join(sessions, id);
  if (!existsSync(folder)) {
    throw new BridgeError("session_not_found", `the session ${id} is no longer on disk; ${othersOr(root)}`);
  }
  return sessionIn(folder);
}

/** The current session; if it has ended and exactly one other is running, that one, unless `current` was named. */
function currentOf(root: string, session: string | undefined): string | undefined {
  const current = readCurrent(root);
  if (session !== undefined) return current;
  const running = activeSessions(root).map(({ id }) => id);
  const [only] = running;
  return running.length === 1 && only !== undefined ? only : current;
}

/** Whether a name means a session of this root. */
export function isSession(name: string, choice: RootChoice): boolean {
  return name === "current" || idsOf(rootFor(choice), name).length > 0;
}

/** Throws if a session no longer takes commands, and names the ones that do. */
export function assertRunning({ id, about }: AgentSession, choice: RootChoice): void {
  if (!about || isActive(about)) return;
  const why = about.endTime ? `ended at ${about.endTime}` : `has ended: its process ${about.pid} is gone`;
  throw new BridgeError("session_not_found", `the session ${id} ${why}; ${othersOr(rootFor(choice))}`);
}

function sessionIn(folder: string): AgentSession {
  const about = readSession(folder);
  return {
    id: about?.id ?? basename(folder),
    folder,
    events: join(folder, "events.jsonl"),
    commands: join(folder, "commands.jsonl"),
    about,
  };
}

function byName(root: string, name: string): string {
  const matching = idsOf(root, name);
  if (matching.length === 1) return matching[0] as string;
  const found =
    matching.length === 0
      ? `no session in ${root} matches "${name}"`
      : `${matching.length} sessions in ${root} match "${name}"`;
  const recorded = "debug-bridge sessions --all lists recorded ones";
  const others = activeSessions(root).length === 0 ? recorded : `${othersOr(root)}; ${recorded}`;
  throw new BridgeError("session_not_found", `${found}; ${others}`);
}

/** The ids that match a name: the id itself, else running agents with this name, else ids that end with it. */
function idsOf(root: string, name: string): string[] {
  const all = folderNames(debugPaths(root).sessions);
  if (all.includes(name)) return [name];
  const called = activeSessions(root).filter((one) => one.name === name);
  if (called.length > 0) return called.map(({ id }) => id);
  return all.filter((id) => name !== "" && id.endsWith(name));
}

function othersOr(root: string): string {
  const live = activeSessions(root).map(({ id, name }) => printable(name ? `${id} (${name})` : id));
  return live.length > 0
    ? `these run: ${live.join(", ")}; name one of them`
    : `none is running; ${START_ADVICE}`;
}
