import { type CommandInput, fence } from "@debug-bridge/protocol";
import { z } from "zod";
import { outcomeText } from "../answers/receipt-text.js";
import { defineTool } from "../tool.js";
import { sessionField, targetField } from "./fields.js";

const ACTIONS = [
  "click",
  "type",
  "press",
  "select",
  "hover",
  "scroll",
  "drag",
  "navigate",
  "wait_for",
  "call_tool",
] as const;

export const actTool = defineTool({
  name: "act",
  title: "Act",
  description:
    "Does one thing in a page and answers with a receipt: what appeared, vanished and changed, console lines, errors, requests, navigation. A ref whose element changed is refused, never guessed.",
  input: z.object({
    session: sessionField,
    type: z.enum(ACTIONS),
    target: targetField.optional(),
    text: z.string().optional().describe("for type; for wait_for a text on the page"),
    clear: z.boolean().optional().describe("for type: replaces what is there"),
    submit: z.boolean().optional().describe("for type: presses Enter afterwards"),
    key: z.string().optional().describe("for press, such as Enter or Control+a"),
    values: z.array(z.string()).optional().describe("for select"),
    url: z.string().optional().describe("for navigate; for wait_for a part of the URL"),
    source: targetField.optional().describe("for drag; target is where to"),
    clickCount: z.int().optional(),
    button: z.enum(["left", "right", "middle"]).optional(),
    modifiers: z.array(z.enum(["Alt", "Control", "Meta", "Shift"])).optional(),
    x: z.number().optional().describe("for scroll, in pixels"),
    y: z.number().optional(),
    to: z.enum(["top", "bottom"]).optional(),
    state: z
      .enum(["visible", "hidden", "attached", "detached", "enabled"])
      .optional()
      .describe("for wait_for"),
    idle: z.boolean().optional().describe("for wait_for: until the network is quiet"),
    maxMs: z.number().optional().describe("for wait_for"),
    name: z.string().optional().describe("for call_tool: a tool of the app"),
    input: z.unknown().optional().describe("for call_tool"),
    settle: z
      .union([z.object({ quietMs: z.number().optional(), maxMs: z.number().optional() }), z.literal(false)])
      .optional()
      .describe("how long to wait for effects; false: not at all"),
    timeoutMs: z.number().optional(),
  }),
  readOnly: false,
  async run({ session, ...wanted }, bridge) {
    const id = await bridge.choose(session);
    const command = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const { success, ...result } = await (await bridge.hub.session(id)).act(
      command as unknown as CommandInput,
    );
    return { text: fence(outcomeText(result), id), data: { success, ...result } };
  },
});
