import type { z } from "zod";
import type { Bridge } from "./bridge.js";

export interface ToolImage {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** What a tool answers: text for a model, pictures beside it, and the same as data for programs. */
export interface ToolAnswer {
  readonly text: string;
  readonly images?: readonly ToolImage[];
  readonly data?: unknown;
  /** The work was done and its outcome is a failure, told in the text. */
  readonly isError?: boolean;
}

/** One tool, defined once: the MCP server, the command line, the reference agent and the docs all read it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** True for tools that look and change nothing. */
  readonly readOnly: boolean;
  run(input: z.infer<Input>, bridge: Bridge): Promise<ToolAnswer>;
}

/** Keeps the type of the input with the tool. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
