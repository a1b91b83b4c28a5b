import type { ReferenceTool, ReferenceTools, ToolInput } from "@debug-bridge/agent";
import { ACTING_COMMANDS } from "@debug-bridge/protocol";
import type { BridgeSessions } from "./bridge-sessions.js";

export interface BridgeAddress {
  readonly hub?: string;
  readonly home?: string;
}

export interface BridgeTools {
  readonly tools: ReferenceTools;
  close(): void;
}

const session = {
  type: "string",
  description: "id of the session; may be left out while only one is connected",
};
const target = {
  type: "object",
  description:
    'one of {"ref":"e12"}, {"text":"Save"}, {"role":"button","name":"Save"}, {"selector":"…"}; refs come from observe',
};

/**
 * The bridge's own tools for an agent: what is connected to a hub is seen and used. The client is loaded, and the hub
 * asked for, at the first call.
 */
export function bridgeTools(address: BridgeAddress): BridgeTools {
  let opened: Promise<BridgeSessions> | undefined;
  const sessions = (): Promise<BridgeSessions> => {
    opened ??= import("./bridge-sessions.js").then((module) => new module.BridgeSessions(address));
    return opened;
  };
  const tool = (
    description: string,
    properties: object,
    required: readonly string[],
    run: (bridge: BridgeSessions, input: ToolInput) => Promise<string>,
  ): ReferenceTool => ({
    description,
    inputSchema: { type: "object", properties, required },
    run: async (input) => run(await sessions(), input),
  });
  return {
    close: () => void opened?.then((bridge) => bridge.close()),
    tools: {
      sessions: tool("Lists the apps, tabs, browsers and agents on the hub.", {}, [], (bridge) =>
        bridge.list(),
      ),
      observe: tool(
        "Shows what can be seen and used in an app, one element a line with its ref.",
        {
          session,
          maxTokens: { type: "number" },
          since: { type: "number", description: "a version: only what changed after it" },
          cursor: { type: "string", description: "goes on where the last observation stopped" },
        },
        [],
        (bridge, input) => bridge.observe(input),
      ),
      act: tool(
        "Does something in an app and returns a receipt of what it caused.",
        {
          session,
          type: { type: "string", enum: ACTING_COMMANDS.filter((name) => name !== "evaluate") },
          target,
          text: { type: "string", description: "for type" },
          key: { type: "string", description: "for press, such as Enter or Control+a" },
          values: { type: "array", items: { type: "string" }, description: "for select" },
          url: { type: "string", description: "for navigate" },
        },
        ["type"],
        (bridge, input) => bridge.act(input),
      ),
      logs: tool(
        "Returns console lines, errors and requests of an app, oldest first.",
        {
          session,
          since: { type: "number", description: "a sequence number: only what came after it" },
          types: { type: "string", description: "types of events, separated by commas" },
        },
        [],
        (bridge, input) => bridge.logs(input),
      ),
      eval: tool(
        "Evaluates JavaScript in an app, where the app allows it.",
        { session, code: { type: "string" } },
        ["code"],
        (bridge, input) => bridge.act({ ...input, type: "evaluate" }),
      ),
    },
  };
}
