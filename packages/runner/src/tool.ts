import type { BrowserResponse } from "@debug-bridge/protocol";
import { z } from "zod";
import { ACTIONS } from "./instruction/fields.js";
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

const description = `Debugs a web page in a Chrome that is launched for it. One instruction in XML, one report out: success or error with a hint, console logs and JavaScript errors (source-mapped), requests, timings, a receipt of what the action caused.

<browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>

Each parameter is an element. type is one of ${ACTIONS.join(", ")}. Begin with start, end with stop.
Name elements by targets (patterns such as: button "Sign in" | #login), selector or ref; click also by xRange and yRange ({"min": 100, "max": 120}), in CSS pixels.
type takes text; press takes key; select takes value; scroll takes direction and amount; wait takes text, an element or ms; evaluate takes code; diagnose tells what is wrong with a page.
screenshots is none, after or both. When the development server does not run, tell the person how to start it; never start it yourself.`;

/** The tool, defined once for all who offer it. */
export const browserActionTool = {
  name: "browser_action",
  title: "Browser action",
  description,
  inputSchema: z.object({
    instruction: z.string().describe("One <browser_action> element with its parameters as elements"),
  }),
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
