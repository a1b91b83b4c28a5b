import { z } from "zod";
import { pageAnswer } from "../answers/page-answer.js";
import { defineTool } from "../tool.js";
import { cursorField, EXPLAINED, given, maxTokensField, partField, sessionField } from "./fields.js";

export const observeTool = defineTool({
  name: "observe",
  description:
    "Shows what a person can see and use in a page, with refs such as e12; source adds file:line. Repeated rows are folded; cursor returns the rest.",
  input: z.object({
    session: sessionField,
    target: partField.optional(),
    source: z.boolean().optional().describe("with file:line").meta(EXPLAINED),
    since: z.int().optional().describe("version; shows only what changed after it"),
    cursor: cursorField,
    maxTokens: maxTokensField,
  }),
  readOnly: true,
  async run({ session, maxTokens = 2_000, ...wanted }, bridge) {
    const app = await bridge.session(session);
    const result = await app.act({ type: "request_ui_tree", format: "text", maxTokens, ...given(wanted) });
    return pageAnswer(result, maxTokens, {
      unit: ["element", "elements"],
      advice: "observe a part of it with target",
    });
  },
});
