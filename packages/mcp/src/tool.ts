import { BridgeError } from "@debug-bridge/protocol";
import type { z } from "zod";
import { errorForModel, type ModelText } from "./answers/model-text.js";
import type { Bridge } from "./bridge.js";

export interface ToolImage {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** What a tool returns: text for a model, images beside it, and the same as data for programs. */
export interface ToolAnswer {
  /** Everything that a page wrote is fenced. Created by `forModel` only. */
  readonly text: ModelText;
  readonly images?: readonly ToolImage[];
  readonly data?: unknown;
  /** The work was done and failed; the text says why. */
  readonly isError?: boolean;
}

/** One tool, defined once: the MCP server, the command line, the reference agent and the docs all read it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** True for tools that only read. */
  readonly readOnly: boolean;
  /** True for tools that can change anything, wherever it is. */
  readonly isDestructive?: boolean;
  /** True for tools that run code on this machine, which are not offered everywhere. */
  readonly usesExecutor?: boolean;
  /** Throws when the fields do not fit together, before anything is connected. `run` checks the same. */
  check?(input: z.infer<Input>): void;
  run(input: z.infer<Input>, bridge: Bridge): Promise<ToolAnswer>;
}

/** Keeps the type of the input with the tool. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

/** Runs a tool for a model. The one place where an error that a tool throws becomes an answer. */
export async function callTool(tool: Tool, input: unknown, bridge: Bridge): Promise<ToolAnswer> {
  try {
    return await tool.run(input as never, bridge);
  } catch (thrown) {
    const { maxTokens } = (input ?? {}) as { maxTokens?: number };
    return { text: errorForModel(BridgeError.from(thrown), maxTokens), isError: true };
  }
}
