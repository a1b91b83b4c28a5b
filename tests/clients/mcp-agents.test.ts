import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, stage } from "../e2e/hub/stage.js";
import { servePublished } from "../e2e/published-sdk/stage.js";
import { CLI, type Started, start, temporaryFolder } from "../fixtures.js";
import {
  CLAUDE,
  CODEX,
  CODEX_SANDBOX,
  claudeEnvironment,
  GEMINI,
  geminiEnvironment,
  opencodeEnvironment,
  writeCodexConfig,
} from "../support/agents/agent-programs.js";
import { type ModelServer, type ModelTurn, startModelServer } from "../support/agents/model-server.js";
import { closePages, sharedChromium } from "../support/chrome/chromium.js";
import { opencodeProgram } from "./opencode.js";

const PROMPT = "look at the shop";

interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

interface AgentWithMcp {
  /** What the model does while its first requests come before the agent knows our tools. */
  readonly idle?: ModelTurn;
  /** A call of one of our tools, as this agent's model names it. */
  call(tool: string, input?: object): ModelTurn;
  start(model: ModelServer, server: McpServer): Started;
}

const AGENTS: Readonly<Record<string, AgentWithMcp>> = {
  "Claude Code": {
    call: (tool, input = {}) => ({ tool: `mcp__debug-bridge__${tool}`, input }),
    start: ({ url }, server) => {
      const servers = JSON.stringify({ mcpServers: { "debug-bridge": { type: "stdio", ...server } } });
      const args = ["-p", "--dangerously-skip-permissions", "--strict-mcp-config", "--mcp-config", servers];
      return start(
        CLAUDE,
        [...args, "--", PROMPT],
        claudeEnvironment(url, temporaryFolder()),
        temporaryFolder(),
      );
    },
  },
  Codex: {
    // Codex does not wait for its CLI servers.
    idle: { tool: "exec_command", input: { cmd: "sleep 1" } },
    call: (tool, input = {}) => ({ tool, namespace: "mcp__debug_bridge", input }),
    start: ({ url }, { command, args }) => {
      const codexHome = temporaryFolder();
      const server = `[mcp_servers.debug_bridge]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
      writeCodexConfig(codexHome, url, server);
      const flags = ["exec", "--json", "--skip-git-repo-check", CODEX_SANDBOX];
      return start(CODEX, [...flags, PROMPT], { CODEX_HOME: codexHome }, temporaryFolder());
    },
  },
  "Gemini CLI": {
    call: (tool, input = {}) => ({ tool: `mcp_debug-bridge_${tool}`, input }),
    start: ({ url }, server) => {
      const settings = { mcpServers: { "debug-bridge": { ...server, trust: true } } };
      const env = geminiEnvironment(url, temporaryFolder(), settings);
      return start(GEMINI, ["--yolo", "--model", "gemini-2.5-pro", "-p", PROMPT], env, temporaryFolder());
    },
  },
  opencode: {
    call: (tool, input = {}) => ({ tool: `debug-bridge_${tool}`, input }),
    start: ({ url }, { command, args }) => {
      const cwd = temporaryFolder();
      const server = { type: "local", command: [command, ...args], enabled: true };
      const env = opencodeEnvironment(url, temporaryFolder(), cwd, { mcp: { "debug-bridge": server } });
      return start(opencode, ["run", PROMPT], env, cwd);
    },
  },
};

const BODY = `<button onclick="console.error('card declined'); this.insertAdjacentHTML('afterend', '<a href=/help>Help</a>')">Pay</button>`;

let browser: Browser;
let opencode: string;
beforeAll(async () => {
  [browser, opencode] = await Promise.all([sharedChromium(), opencodeProgram()]);
});
afterAll(closePages);

/** A model that follows a script as soon as it is offered our tools. `at` counts the turns that it took. */
async function scripted(
  { idle }: AgentWithMcp,
  turns: readonly ModelTurn[],
  before: (at: number) => Promise<void> = async () => {},
): Promise<ModelServer> {
  let at = 0;
  const answer = (request: string): ModelTurn => {
    if (idle && !request.includes("mcp__debug_bridge")) return idle;
    // opencode also asks for a title, without tools.
    if (!/"tools":\s*\[/.test(request)) return { text: "A title" };
    return turns[at++] ?? { text: "The script is at its end." };
  };
  return startModelServer(answer, () => before(at));
}

/** A hub to which a page with the published SDK is connected. */
async function shop(): Promise<Stage> {
  const hub = await stage(browser);
  await hub.open(await servePublished(BODY, hub.ready.hub));
  await (await hub.agent("published")).next("ui_tree");
  return hub;
}

describe.each(Object.entries(AGENTS))("%s, with debug-bridge mcp as its server", (_name, agent) => {
  const { call } = agent;

  it("lists, observes, acts and reads the logs of an app with the published SDK; a failing tool is reported as an error", async () => {
    const { ready, home } = await shop();
    const model = await scripted(agent, [
      call("sessions"),
      call("observe", { session: "published" }),
      call("act", { session: "published", type: "click", target: { text: "Pay" } }),
      call("logs", { session: "published" }),
      call("act", { session: "published", type: "click", target: { text: "Refund" } }),
      { text: "The card was declined." },
    ]);
    const args = [CLI, "mcp", "--home", home, "--hub", ready.hub];
    const started = agent.start(model, { command: process.execPath, args });
    expect((await started.finished).code).toBe(0);
    const received = JSON.stringify(model.requests.at(-1)?.body);
    expect(received).toContain("published app connected");
    expect(received).toMatch(/e\d+ button \\+"Pay/);
    expect(received).toMatch(/link \\+"Help/);
    expect(received).toContain("console.error: card declined");
    expect(received).toContain("target_not_found");
    expect(started.output.stdout).toContain("The card was declined.");
  });

  it("receives what to do when the hub dies while it works", async () => {
    const { ready, home, kill } = await shop();
    const observe = call("observe", { session: "published" });
    const model = await scripted(agent, [observe, observe, { text: "Gone." }], async (at) => {
      if (at === 2) await kill();
    });
    const args = [CLI, "mcp", "--home", home, "--hub", ready.hub];
    const started = agent.start(model, { command: process.execPath, args });
    expect((await started.finished).code).toBe(0);
    const received = JSON.stringify(model.requests.at(-1)?.body);
    expect(received).toMatch(/button \\+"Pay/);
    expect(received).toMatch(/no hub answers|hub .*(?:gone|lost|closed)|app_not_connected|outcome_unknown/);
  });
});
