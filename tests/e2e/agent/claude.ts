import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { debugPaths, readSessions } from "@debug-bridge/journal";
import { type Finished, ROOT, type Started, start, temporaryFolder, until } from "../../fixtures.js";
import { type AgentEvent, cli, eventsOf } from "../../support/agents.js";
import { type ModelServer, type ModelTurn, startModelServer } from "../../support/model-server.js";

const CLAUDE = join(ROOT, "node_modules/.bin/claude");

/** The real Claude Code in its own process, in a folder and with settings of its own, and its model: a stand-in. */
export interface RunningClaude extends Started {
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

export interface ClaudeOptions {
  /** Arguments of `hook install`. */
  readonly install?: readonly string[];
  /** Arguments of Claude Code. */
  readonly args?: readonly string[];
  /** Whether every tool may run without a question; else what its own rules say. */
  readonly allowAll?: boolean;
}

/** Starts Claude Code with our hooks and waits for its session. Its model waits until `begin` is called. */
export async function startClaude(
  home: string,
  turns: Parameters<typeof startModelServer>[0],
  { install = [], args = [], allowAll = true }: ClaudeOptions = {},
): Promise<RunningClaude> {
  const config = temporaryFolder();
  const cwd = join(temporaryFolder(), "work");
  mkdirSync(cwd);
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const server = await startModelServer(turns, () => begun);
  const file = join(config, "settings.json");
  const installed = await cli(home, "hook", "install", "claude-code", "--file", file, ...install);
  if (installed.code !== 0) throw new Error(installed.stderr);
  const permissions = allowAll ? ["--dangerously-skip-permissions"] : [];
  const started = start(
    CLAUDE,
    ["-p", ...permissions, ...args, "fix the shop"],
    {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CONFIG_DIR: config,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      // It refuses to skip permissions as root outside of one.
      IS_SANDBOX: "1",
      DEBUG_BRIDGE_HOME: home,
    },
    cwd,
  );
  const { id } = await until(() => readSessions(home).find((session) => session.cwd === realpathSync(cwd)));
  const events = (): AgentEvent[] => eventsOf(join(debugPaths(home).sessions, id));
  return {
    ...started,
    server,
    id,
    cwd,
    begin,
    events,
    seen: (type, nth = 1) => until(() => events().filter((event) => event.type === type)[nth - 1]),
    give: (...words) => cli(home, "agent", ...words, "-s", id),
  };
}

/** What the model was sent in a request, as text. */
export const toldModel = ({ server }: RunningClaude, request: number): string =>
  JSON.stringify(server.requests[request]?.body.messages);

export const bash = (command: string): ModelTurn => ({
  tool: "Bash",
  input: { command, description: "a step" },
});
