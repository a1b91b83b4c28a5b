import { z } from "zod";
import { forModel } from "../answers/model-text.js";
import { outcomeText } from "../answers/outcome-text.js";
import { EXPLAINED, rareMaxTokensField, sessionField } from "../input/fields.js";
import { defineTool } from "../tool.js";

export const evaluateTool = defineTool({
  name: "eval",
  description: "Evaluates JavaScript in a page, if the app allows it.",
  input: z.object({
    session: sessionField,
    code: z.string().describe("JavaScript; its value is returned").meta(EXPLAINED),
    maxTokens: rareMaxTokensField,
  }),
  readOnly: false,
  async run({ session, code, maxTokens }, bridge) {
    const { success, ...result } = await (await bridge.session(session)).act({ type: "evaluate", code });
    const content = outcomeText(result);
    const text = forModel({ content, source: "the page", maxTokens, advice: "return less of it" });
    return { text, data: { success, ...result } };
  },
});
