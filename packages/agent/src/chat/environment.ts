import { APPROVAL_TIMEOUT_MS, type ProviderRequest } from "@debug-bridge/protocol";
import { STARTING_COMMANDS } from "../session/starting-commands.js";

/** What every provider has to know about the Debug Bridge that starts it. */
export interface ChatEnvironment {
  readonly home: string;
  /** The command line with which this Debug Bridge is started: `["node", "main.js"]`. */
  readonly program: readonly [string, ...string[]];
}

/** The name of our MCP server in the agent, as in `claude mcp add debug-bridge`. */
export const MCP_NAME = "debug-bridge";

export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Our MCP server on the hub that runs the chat, working in the session that the person has in front. */
export function mcpCommand(
  { program: [command, ...rest], home }: ChatEnvironment,
  { hubUrl, session, runId }: Pick<ProviderRequest, "hubUrl" | "session" | "runId">,
): McpCommand {
  // The id comes from an app: as a separate word it could look like an option.
  const own = session === undefined ? [] : [`--page=${session}`];
  return { command, args: [...rest, "mcp", "--home", home, "--hub", hubUrl, "--chat-run", runId, ...own] };
}

/** Hooks and tools of the agent find their home, and their first commands, through it. */
export function environmentOf(
  { home }: ChatEnvironment,
  { commandsFile }: Pick<ProviderRequest, "commandsFile">,
): NodeJS.ProcessEnv {
  return {
    DEBUG_BRIDGE_HOME: home,
    ...(commandsFile === undefined ? {} : { [STARTING_COMMANDS]: commandsFile }),
  };
}

/** How long an agent has to wait for a tool: it may ask the person first. */
export const TOOL_TIMEOUT_MS = APPROVAL_TIMEOUT_MS + 300_000;
