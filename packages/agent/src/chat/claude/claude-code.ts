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
import { readBase64 } from "../pictures.js";
import { startProcess } from "../provider-process.js";
import { ClaudeEvents } from "./events.js";

export interface ClaudeCodeOptions {
  /** Settings with our hooks, for a run without any; undefined when the person's own settings have them. */
  hookSettings(): object | undefined;
}

/** Claude Code, through `claude -p`. It keeps the person's own settings, permissions and sign-in. */
export function claudeCodeProvider(environment: ChatEnvironment, options: ClaudeCodeOptions): ChatProvider {
  return {
    name: "claude-code",
    title: "Claude Code",
    problem: () =>
      findProgram("claude") === undefined
        ? "Claude Code is not installed; run: npm install -g @anthropic-ai/claude-code, then: claude, and /login there"
        : undefined,
    start: (request, onEvent) => startClaude(environment, options.hookSettings(), request, onEvent),
  };
}

function startClaude(
  environment: ChatEnvironment,
  settings: object | undefined,
  request: ProviderRequest,
  onEvent: (event: ProviderEvent) => void,
): ProviderRun {
  const sessions = new AgentSessionReporter(environment.home, onEvent, { notice: undefined });
  const events = new ClaudeEvents((event) => {
    onEvent(event);
    sessions.onEvent(event);
  });
  const running = startProcess({
    command: findProgram("claude") ?? "claude",
    args: claudeArguments(environment, settings, request),
    cwd: request.cwd,
    env: {
      ...environmentOf(environment, request),
      MCP_TOOL_TIMEOUT: process.env.MCP_TOOL_TIMEOUT ?? String(TOOL_TIMEOUT_MS),
    },
    input: claudeInput(request),
    onLine: (line) => events.readLine(line),
  });
  const done = running.exited.then((exit) => {
    sessions.end();
    return events.outcome(exit);
  });
  return { pid: running.pid, done, stop: running.stop };
}

/** The message comes over standard input: it may be long, and may start with a dash. */
function claudeArguments(
  environment: ChatEnvironment,
  settings: object | undefined,
  request: ProviderRequest,
): string[] {
  const servers = { mcpServers: { [MCP_NAME]: mcpCommand(environment, request) } };
  return [
    "-p",
    // Our tools ask the hub's policy, and nobody could answer Claude Code here.
    ...["--allowedTools", `mcp__${MCP_NAME}`],
    ...["--mcp-config", JSON.stringify(servers)],
    ...["--output-format", "stream-json", "--verbose", "--include-partial-messages"],
    ...(request.images === undefined ? [] : ["--input-format", "stream-json"]),
    ...(settings === undefined ? [] : ["--settings", JSON.stringify(settings)]),
    ...(request.resumeSessionId === undefined ? [] : ["--resume", request.resumeSessionId]),
  ];
}

/** Text alone is plain; with pictures it is a message of the API, as one line of JSON. */
function claudeInput({ message, images }: ProviderRequest): string {
  if (images === undefined) return message;
  const pictures = images.map((image) => ({
    type: "image",
    source: { type: "base64", media_type: image.mimeType, data: readBase64(image) },
  }));
  const content = [{ type: "text", text: message }, ...pictures];
  return `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
}
