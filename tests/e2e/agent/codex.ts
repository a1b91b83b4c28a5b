import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugPaths, readSessions } from "@debug-bridge/journal";
import { type Finished, ROOT, type Started, start, temporaryFolder, until } from "../../fixtures.js";
import { type AgentEvent, cli, eventsOf } from "../../support/agents.js";
import { type ModelServer, type ModelTurn, startModelServer } from "../../support/model-server.js";

const CODEX = join(ROOT, "node_modules/.bin/codex");
/** Its sandbox needs more of the system than a test machine may give; the commands are those of the test. */
const SANDBOX = "--dangerously-bypass-approvals-and-sandbox";

/** The real Codex in a process of its own, in a folder and with settings of its own, and its model: a stand-in. */
export interface RunningCodex extends Started {
  readonly server: ModelServer;
  readonly id: string;
  readonly cwd: string;
  events(): AgentEvent[];
  seen(type: string, nth?: number): Promise<AgentEvent>;
  /** Gives it a command, from the command line. */
  give(...args: string[]): Promise<Finished>;
  /** Lets the model give its first answer. */
  begin(): void;
  /** What it printed of items of a type. */
  // biome-ignore lint/suspicious/noExplicitAny: items of every shape.
  items(type: string): any[];
}

/** Starts Codex with our hooks and waits for its session. Its model waits until `begin` is called. */
export async function startCodex(home: string, turns: readonly ModelTurn[]): Promise<RunningCodex> {
  const codexHome = temporaryFolder();
  const cwd = join(temporaryFolder(), "work");
  mkdirSync(cwd);
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const server = await startModelServer(turns, () => begun);
  writeFileSync(
    join(codexHome, "config.toml"),
    `model = "stand-in"
model_provider = "stand-in"
[model_providers.stand-in]
name = "stand-in"
base_url = "${server.url}/v1"
wire_api = "responses"
`,
  );
  const installed = await cli(home, "hook", "install", "codex", "--file", join(codexHome, "hooks.json"));
  if (installed.code !== 0) throw new Error(installed.stderr);
  const started = start(
    CODEX,
    ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", SANDBOX, "fix the shop"],
    { CODEX_HOME: codexHome, DEBUG_BRIDGE_HOME: home },
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
    give: (...args) => cli(home, "agent", ...args, "-s", id),
    items: (type) =>
      started.output.stdout
        .split("\n")
        .filter((line) => line.includes('"item.completed"'))
        .map((line) => JSON.parse(line).item)
        .filter((item) => item.type === type),
  };
}

/** What the model was sent in a request, as text. */
export const sentTo = ({ server }: RunningCodex, request: number): string =>
  JSON.stringify(server.requests[request]?.body.input);
