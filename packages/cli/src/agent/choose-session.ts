import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import {
  activeSessions,
  debugPaths,
  defaultHome,
  folderNames,
  isActive,
  readCurrent,
  readSession,
  rootOf,
} from "@debug-bridge/journal";
import { BridgeError, stripControlCharacters as printable, type SessionFile } from "@debug-bridge/protocol";

export interface SessionChoice {
  readonly session?: string;
  readonly dir?: string;
}

/** An agent's session on disk. */
export interface AgentSession {
  readonly id: string;
  readonly folder: string;
  readonly events: string;
  readonly commands: string;
  /** What `session.json` says, when it is there. */
  readonly about: SessionFile | undefined;
}

const HOW_TO_START =
  'start one with: debug-bridge run --script turns.json "TASK", or with createAgentDebugger() in a loop of your own';

/** The root that `--dir` names, else the home. */
export function rootFor(dir: string | undefined): string {
  return dir === undefined ? defaultHome() : rootOf(dir);
}

/** The session that is meant: by its id, the end of it or its name, else the current one. `--dir` may name its folder, too. */
export function chooseSession({ session, dir }: SessionChoice): AgentSession {
  if (dir !== undefined && session === undefined && existsSync(join(dir, "events.jsonl")))
    return sessionIn(realpathSync(dir));
  const root = rootFor(dir);
  const { sessions } = debugPaths(root);
  const id = session === undefined || session === "current" ? readCurrent(root) : byName(root, session);
  if (id === undefined) {
    throw new BridgeError("session_not_found", `no agent session is below ${root}; ${HOW_TO_START}`);
  }
  const folder = join(sessions, id);
  if (!existsSync(folder)) {
    throw new BridgeError("session_not_found", `the session ${id} is no longer on disk; ${othersOr(root)}`);
  }
  return sessionIn(folder);
}

/** Refuses a session that takes no commands any more, and says which ones do. */
export function mustLive({ id, about }: AgentSession, dir: string | undefined): void {
  if (!about || isActive(about)) return;
  const why = about.endTime ? `ended at ${about.endTime}` : `is over: its process ${about.pid} is gone`;
  throw new BridgeError("session_not_found", `the session ${id} ${why}; ${othersOr(rootFor(dir))}`);
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
  const found = matching.length === 0 ? "no session" : `${matching.length} sessions`;
  throw new BridgeError("session_not_found", `${found} below ${root} match "${name}"; ${othersOr(root)}`);
}

/** The ids that a name means: the id itself, else the agents that run and are called so, else all that end with it. */
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
    ? `these run: ${live.join(", ")} (choose with --session)`
    : `none runs now; ${HOW_TO_START}`;
}
