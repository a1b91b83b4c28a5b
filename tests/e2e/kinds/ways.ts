import type { CommandInput, CommandResult } from "@debug-bridge/protocol";
import { runCli } from "../../fixtures.js";
import { WireClient } from "../../support/hub/wire-client.js";
import { mcpClient } from "../mcp/client.js";
import type { AllKinds, Kind } from "./all-kinds.js";

/** What a way answered to a command. */
export interface WayAnswer {
  /** `done`, or the code of the error. The command line says an error in words only: `failed`. */
  readonly verdict: string;
  /** All that it says about the end of the command; the command line and MCP do not return the whole result of each. */
  readonly result?: Partial<CommandResult>;
  /** What a person or a model reads. */
  readonly text?: string;
}

/** A way to send a command to a session. */
export interface Way {
  readonly name: string;
  send(kind: Kind, command: CommandInput): Promise<WayAnswer>;
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

export function webSocket({ hub, ids }: AllKinds): Way {
  return {
    name: "WebSocket",
    async send(kind, command) {
      const agent = await WireClient.connect(hub.url, {
        ...{ role: "agent", sessionId: ids[kind], token: hub.token, query: { quiet: "1" } },
      });
      const result = (await agent.command({ ...command })) as unknown as CommandResult;
      agent.close();
      return { verdict: result.success ? "done" : (result.error ?? "failed"), result };
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
      const result = (await response.json()) as CommandResult;
      return { verdict: result.success ? "done" : (result.error ?? "failed"), result };
    },
  };
}

export async function mcp({ hub, home, ids }: AllKinds): Promise<Way> {
  const user = await mcpClient(["--hub", hub.url, "--home", home]);
  return {
    name: "MCP",
    async send(kind, command) {
      const { tool, input } = toolCall(command);
      const { text, isError } = await user.call(tool, { session: ids[kind], ...input });
      const code = /\b[a-z]+(?:_[a-z]+)+\b|\btimeout\b/.exec(text)?.[0];
      return { verdict: isError ? (code ?? text) : "done", text };
    },
  };
}

export function commandLine({ hub, home, ids }: AllKinds): Way {
  return {
    name: "command line",
    async send(kind, command) {
      const { tool, input } = toolCall(command);
      const fields = Object.entries(input).map(
        ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
      );
      const args = [tool, ids[kind], ...fields, "--json", "--hub", hub.url, "--home", home];
      const { code, stdout, stderr } = await runCli(args);
      if (code !== 0) return { verdict: "failed", text: stderr };
      return { verdict: "done", result: JSON.parse(stdout) as Partial<CommandResult>, text: stderr };
    },
  };
}
