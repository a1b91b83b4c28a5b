import { fence } from "@debug-bridge/protocol";
import { z } from "zod";
import { fitStart } from "../answers/fit.js";
import { outcomeText } from "../answers/receipt-text.js";
import { defineTool } from "../tool.js";
import { maxTokensField, sessionField } from "./fields.js";

export const evaluateTool = defineTool({
  name: "eval",
  title: "Evaluate",
  description:
    "Runs JavaScript in a page, once, where the app allows it; awaits it and answers with its value.",
  input: z.object({ session: sessionField, code: z.string(), maxTokens: maxTokensField }),
  readOnly: false,
  async run({ session, code, maxTokens }, bridge) {
    const id = await bridge.choose(session);
    const { success, ...result } = await (await bridge.hub.session(id)).act({ type: "evaluate", code });
    const text = fitStart(outcomeText(result), maxTokens, "return less of it");
    return { text: fence(text, id), data: { success, ...result } };
  },
});
