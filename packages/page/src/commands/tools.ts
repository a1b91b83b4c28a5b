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

  async call(name: string, input: unknown): Promise<unknown> {
    const entry = this.tools.get(name);
    if (!entry) {
      const names = [...this.tools.keys()].map((each) => `"${each}"`).join(", ");
      throw new BridgeError("tool_not_found", `the app has no tool "${name}"; it has ${names || "none"}`);
    }
    try {
      return await entry.run(input);
    } catch (thrown) {
      throw new BridgeError("tool_failed", `${name}: ${describeError(thrown)}`);
    }
  }
}
