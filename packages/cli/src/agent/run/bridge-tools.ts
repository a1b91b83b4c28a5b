import type { ReferenceTool, ReferenceTools } from "@debug-bridge/agent";
import type { Bridge, callTool, Tool } from "@debug-bridge/mcp";
import { BridgeError, clientOfRun } from "@debug-bridge/protocol";

export interface BridgeTools {
  /** For a model that reads no descriptions. Everything is loaded at the first call. */
  readonly deferred: ReferenceTools;
  /** With their descriptions and schemas. */
  load(): Promise<ReferenceTools>;
  close(): Promise<void>;
}

/** The tools that are useful to the reference agent. They are defined once, for the MCP server. */
const NAMES = ["sessions", "observe", "find", "act", "logs", "eval"] as const;

interface Loaded {
  readonly tools: readonly Tool[];
  readonly callTool: typeof callTool;
  readonly bridge: Bridge;
}

export interface BridgeAddress {
  readonly hub?: string;
  readonly home: string;
  /** The session that tools use when they name none. */
  readonly session?: string;
  /** The run of a chat for which the tools work. */
  readonly chatRun?: string;
}

/** The tools with which an agent sees and uses what is connected to a hub. */
export function bridgeTools(address: BridgeAddress): BridgeTools {
  let loaded: Promise<Loaded> | undefined;
  const open = (): Promise<Loaded> => {
    loaded ??= openBridge(address);
    return loaded;
  };
  const run =
    (name: string): ReferenceTool["run"] =>
    async (input) => {
      const loadedTools = await open();
      return runTool(loadedTools.tools.find((tool) => tool.name === name) as Tool, input, loadedTools);
    };
  const all = (about: (name: string) => Omit<ReferenceTool, "run">): ReferenceTools =>
    Object.fromEntries(NAMES.map((name) => [name, { ...about(name), run: run(name) }]));
  return {
    deferred: all(() => ({ description: "", inputSchema: { type: "object" } })),
    load: async () => {
      const { tools } = await open();
      return all((name) => {
        const { description, input } = tools.find((tool) => tool.name === name) as Tool;
        return { description, inputSchema: input.toJSONSchema({ io: "input" }) };
      });
    },
    close: async () => (await loaded)?.bridge.close(),
  };
}

async function openBridge(address: BridgeAddress): Promise<Loaded> {
  const [{ callTool, tools }, { createBridge }, { HubClient, requireHub }] = await Promise.all([
    import("@debug-bridge/mcp"),
    import("../../bridge.js"),
    import("@debug-bridge/client"),
  ]);
  const { home, session, chatRun } = address;
  const hub = new HubClient({ hub: () => requireHub(address), name: clientOfRun("run", chatRun) });
  return {
    tools,
    callTool,
    bridge: createBridge({ hub, home, session, chatRun, name: "run" }),
  };
}

async function runTool(tool: Tool, input: unknown, { bridge, callTool }: Loaded): Promise<string> {
  const checked = tool.input.safeParse(input);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new BridgeError("invalid_message", `${issue?.path.join(".") || "the input"}: ${issue?.message}`);
  }
  const { text, isError } = await callTool(tool, checked.data, bridge);
  if (isError) throw new BridgeError("tool_failed", text);
  return text;
}
