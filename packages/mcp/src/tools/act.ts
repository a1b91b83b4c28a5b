import { z } from "zod";
import { forModel } from "../answers/model-text.js";
import { outcomeText } from "../answers/outcome-text.js";
import { defineTool } from "../tool.js";
import { ACTIONS, actionFields, readAction } from "./act-input.js";
import { maxTokensField, sessionField } from "./fields.js";

export const actTool = defineTool({
  name: "act",
  title: "Act",
  description:
    "Performs one action in a page and returns a receipt: what appeared, disappeared and changed, console lines, errors, requests, navigation. A ref whose element changed is refused.",
  input: z.object({
    session: sessionField,
    type: z.enum(ACTIONS),
    ...actionFields(),
    maxTokens: maxTokensField,
  }),
  readOnly: false,
  async run({ session, type, maxTokens, ...fields }, bridge) {
    const command = readAction(type, fields);
    const { success, ...result } = await (await bridge.session(session)).act(command);
    const text = forModel({ content: outcomeText(result), source: "the page", maxTokens });
    return { text, data: { success, ...result } };
  },
});
