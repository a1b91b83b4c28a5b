import { BridgeError, type CommandInput } from "@debug-bridge/protocol";
import { runCli } from "../../fixtures.js";
import { type McpUser, mcpClient } from "../mcp/client.js";
import type { AllKinds, Kind } from "./all-kinds.js";

/** How a way reported the end of a command: `done`, or the code of its error. */
type Verdict = string;

/** A way to send a command to a session. */
export interface Way {
  readonly name: string;
  send(kind: Kind, command: CommandInput): Promise<Verdict>;
}

/** The tools of MCP and the command line, by the command that they send. */
function toolCall({ type, ...fields }: CommandInput): { tool: string; input: Record<string, unknown> } {
  if (type === "evaluate") return { tool: "eval", input: fields };
  if (type === "request_ui_tree") {
    const { format: _, ...rest } = fields as { format?: unknown };
    return { tool: "observe", input: rest };
  }
  return { tool: "act", input: { type, ...fields } };
}

export function webSocket(kinds: AllKinds): Way {
  return {
    name: "WebSocket",
    async send(kind, command) {
      const client = await kinds.connect(kind);
      try {
        await client.act(command);
        return "done";
      } catch (thrown) {
        return BridgeError.from(thrown).code;
      } finally {
        client.close();
      }
    },
  };
}

export function http({ hub, ids }: AllKinds): Way {
  return {
    name: "HTTP",
    async send(kind, command) {
      const response = await fetch(`${hub.url}/v1/sessions/${ids[kind]}/commands`, {
        method: "POST",
        headers: { authorization: `Bearer ${hub.token}`, "content-type": "application/json" },
        body: JSON.stringify(command),
      });
      const { success, error } = (await response.json()) as {
        success?: boolean;
        error?: string | { code: string };
      };
      if (success) return "done";
      return typeof error === "string" ? error : (error?.code ?? "failed");
    },
  };
}

export async function mcp({ hub, home, ids }: AllKinds): Promise<Way> {
  const user: McpUser = await mcpClient(["--hub", hub.url, "--home", home]);
  return {
    name: "MCP",
    async send(kind, command) {
      const { tool, input } = toolCall(command);
      const { text, isError } = await user.call(tool, { session: ids[kind], ...input });
      return isError ? (/\b[a-z]+(?:_[a-z]+)+\b|\btimeout\b/.exec(text)?.[0] ?? text) : "done";
    },
  };
}

/** The command line says an error in words; its code is in the timeline. */
export function commandLine({ hub, home, ids }: AllKinds): Way {
  return {
    name: "command line",
    async send(kind, command) {
      const { tool, input } = toolCall(command);
      const fields = Object.entries(input).map(
        ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
      );
      const { code } = await runCli([tool, ids[kind], ...fields, "--hub", hub.url, "--home", home]);
      return code === 0 ? "done" : "failed";
    },
  };
}
