import { type AppTool, BridgeError } from "@debug-bridge/protocol";
import { describeError } from "../app-data.js";

/** A function of the app that an agent may call. */
export type ToolFunction = (input: unknown) => unknown;

/** The tools that the app offers. */
export class Tools {
  private readonly tools = new Map<string, { tool: AppTool; run: ToolFunction }>();
  /** Called whenever a tool is added or removed. */
  onChange: (() => void) | undefined;

  register(tool: AppTool, run: ToolFunction): () => void {
    this.tools.set(tool.name, { tool, run });
    this.onChange?.();
    return () => {
      if (this.tools.get(tool.name)?.run !== run) return;
      this.tools.delete(tool.name);
      this.onChange?.();
    };
  }

  list(): AppTool[] {
    return [...this.tools.values()].map(({ tool }) => tool);
  }

  find(name: string): ToolFunction | undefined {
    return this.tools.get(name)?.run;
  }
}

/** Calls a tool of the app. No method, since only the part of the SDK that acts needs it. */
export async function callTool(tools: Tools, name: string, input: unknown): Promise<unknown> {
  const run = tools.find(name);
  if (!run) {
    const names = tools.list().map((tool) => `"${tool.name}"`);
    throw new BridgeError(
      "tool_not_found",
      `the app has no tool "${name}"; it has ${names.join(", ") || "none"}`,
    );
  }
  try {
    return await run(input);
  } catch (thrown) {
    throw new BridgeError("tool_failed", `${name}: ${describeError(thrown)}`);
  }
}
