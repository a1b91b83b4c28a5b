import type { BrowserResponse } from "@debug-bridge/protocol";
import { browserActionDefinition } from "@debug-bridge/protocol/schemas";
import { briefResponse } from "./messages/brief.js";
import { toolResultContent } from "./messages/tool-result.js";
import type { RunnerOptions } from "./session/browser-runner.js";
import { handleBrowserInstruction, type InstructionText } from "./session/sessions.js";

/** A part of a tool's result, as MCP has it. */
export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: "image/jpeg" };

export interface ToolResult {
  readonly content: ToolContent[];
  readonly isError: boolean;
}

/** The tool, defined once for everything that offers it. */
export const browserActionTool = {
  ...browserActionDefinition,
  /** Runs it in the browser of the client's connection. */
  async handler(
    input: { readonly instruction: InstructionText },
    options: RunnerOptions,
  ): Promise<ToolResult> {
    return toToolResult(await handleBrowserInstruction(input.instruction, options));
  },
} as const;

/** A report as the result of a tool: text that a model can read at once, and pictures beside it. */
export function toToolResult(response: BrowserResponse): ToolResult {
  const content = toolResultContent(briefResponse(response));
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return {
    isError: !response.success,
    content: blocks.map((block) =>
      block.type === "text"
        ? block
        : { type: "image", data: block.source.data, mimeType: block.source.media_type },
    ),
  };
}
