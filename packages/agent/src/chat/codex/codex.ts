import type { ChatProvider, ProviderEvent, ProviderRequest, ProviderRun } from "@debug-bridge/protocol";
import { AgentSessionReporter } from "../agent-session.js";
import {
  type ChatEnvironment,
  environmentOf,
  MCP_NAME,
  mcpCommand,
  TOOL_TIMEOUT_MS,
} from "../environment.js";
import { findProgram } from "../find-program.js";
import { startProcess } from "../provider-process.js";
import { CodexEvents } from "./events.js";

/** Codex, through `codex exec --json`. It keeps the person's own settings, sandbox and sign-in. */
export function codexProvider(environment: ChatEnvironment): ChatProvider {
  return {
    name: "codex",
    title: "Codex",
    problem: () =>
      findProgram("codex") === undefined
        ? "Codex is not installed; run: npm install -g @openai/codex, then: codex login"
        : undefined,
    start: (request, onEvent) => startCodex(environment, request, onEvent),
  };
}

function startCodex(
  environment: ChatEnvironment,
  request: ProviderRequest,
  onEvent: (event: ProviderEvent) => void,
): ProviderRun {
  const sessions = new AgentSessionReporter(environment.home, onEvent, {
    notice: request.resumeSessionId === undefined ? HOW_TO_DEBUG : undefined,
  });
  const events = new CodexEvents((event) => {
    onEvent(event);
    sessions.onEvent(event);
  });
  const running = startProcess({
    command: findProgram("codex") ?? "codex",
    args: codexArguments(environment, request),
    cwd: request.cwd,
    env: environmentOf(environment, request),
    input: request.message,
    onLine: (line) => events.readLine(line),
  });
  const done = running.exited.then((exit) => {
    sessions.end();
    return events.outcome(exit);
  });
  return { pid: running.pid, done, stop: running.stop };
}

const HOW_TO_DEBUG =
  "this run cannot be paused: Codex has no hooks of Debug Bridge that you trust. Run: debug-bridge hook install codex, then start codex and trust them";

/** The message comes over standard input: it may be long, and may start with a dash. */
function codexArguments(environment: ChatEnvironment, request: ProviderRequest): string[] {
  const { command, args } = mcpCommand(environment, request);
  // JSON strings and arrays are TOML, too. Codex waits for tools that are required before it asks the model. They ask
  // the hub's policy, and nobody could answer Codex here.
  const server = `{command=${JSON.stringify(command)},args=${JSON.stringify(args)},required=true,startup_timeout_sec=60,tool_timeout_sec=${TOOL_TIMEOUT_MS / 1_000},default_tools_approval_mode="approve"}`;
  const { resumeSessionId } = request;
  return [
    "exec",
    ...(resumeSessionId === undefined ? [] : ["resume"]),
    "--json",
    // It takes all words up to the next option as files.
    ...(request.images ?? []).flatMap(({ file }) => ["--image", file]),
    "--skip-git-repo-check",
    "-c",
    `mcp_servers.${MCP_NAME}=${server}`,
    ...(resumeSessionId === undefined ? [] : [resumeSessionId]),
    "-",
  ];
}
