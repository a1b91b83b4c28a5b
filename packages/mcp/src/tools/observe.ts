import { z } from "zod";
import { ownWords } from "../answers/model-text.js";
import { pageAnswer } from "../answers/page-answer.js";
import { cursorField, given, maxTokensField, partField, sessionField } from "../input/fields.js";
import { defineTool } from "../tool.js";

export const observeTool = defineTool({
  name: "observe",
  description:
    "Shows what is visible and usable in a page, with refs such as e12; source true adds file:line, component props and state of target. Repeated rows are folded.",
  input: z.object({
    session: sessionField,
    target: partField,
    source: z
      .union([z.boolean(), z.literal("component"), z.stringbool()])
      .optional()
      .describe("true: with file:line; component: props and state of the component of target")
      .meta({ shown: { type: "string" } }),
    since: z.int().optional().describe("version: only later changes"),
    cursor: cursorField,
    maxTokens: maxTokensField,
  }),
  readOnly: true,
  async run({ session, maxTokens = 2_000, ...wanted }, bridge) {
    const app = await bridge.session(session);
    const result = await app.act({ type: "request_ui_tree", format: "text", maxTokens, ...given(wanted) });
    return pageAnswer(result, maxTokens, {
      showsUrl: true,
      unit: [ownWords`element`, ownWords`elements`],
      advice: "observe a part of it with target",
    });
  },
});
