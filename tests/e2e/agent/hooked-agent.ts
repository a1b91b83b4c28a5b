import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { debugPaths, readSessions } from "@debug-bridge/journal";
import { type Finished, type Started, start, temporaryFolder, until } from "../../fixtures.js";
import { type AgentEvent, cli, eventsOf } from "../../support/agents/agents.js";
import { type ModelServer, startModelServer } from "../../support/agents/model-server.js";

/** A real agent with its own process, folder and settings, and its model: a stand-in. */
export interface HookedAgent extends Started {
  readonly server: ModelServer;
  readonly id: string;
  readonly cwd: string;
  events(): AgentEvent[];
  seen(type: string, nth?: number): Promise<AgentEvent>;
  /** Gives it a command, from the command line. */
  give(...args: string[]): Promise<Finished>;
  /** Lets the model give its first answer. */
  begin(): void;
}

/** How one kind of agent is started. */
export interface AgentKind {
  readonly command: string;
  readonly args: readonly string[];
  /** Its environment, besides the home of the bridge. */
  readonly env: Record<string, string>;
}

/**
 * Starts an agent whose hooks were installed, and waits for its session. Its model waits until `begin` is called.
 *
 * @param setUp writes its settings, installs the hooks and returns how it is started
 */
export async function startHooked(
  home: string,
  turns: Parameters<typeof startModelServer>[0],
  setUp: (server: ModelServer, cwd: string) => Promise<AgentKind>,
): Promise<HookedAgent> {
  const cwd = join(temporaryFolder(), "work");
  mkdirSync(cwd);
  let begin = (): void => {};
  const canBegin = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const server = await startModelServer(turns, () => canBegin);
  const { command, args, env } = await setUp(server, cwd);
  const started = start(command, [...args], { ...env, DEBUG_BRIDGE_HOME: home }, cwd);
  const { id } = await until(() => readSessions(home).find((session) => session.cwd === realpathSync(cwd)));
  const events = (): AgentEvent[] => eventsOf(join(debugPaths(home).sessions, id));
  return {
    ...started,
    ...{ server, id, cwd, begin, events },
    seen: (type, nth = 1) => until(() => events().filter((event) => event.type === type)[nth - 1]),
    give: (...words) => cli(home, "agent", ...words, "-s", id),
  };
}

/** Installs the hooks of an agent into a file of its settings. */
export async function installHooks(
  home: string,
  agent: string,
  file: string,
  more: readonly string[] = [],
): Promise<void> {
  const installed = await cli(home, "hook", "install", agent, "--file", file, ...more);
  if (installed.code !== 0) throw new Error(installed.stderr);
}
