import type { CommandInput } from "@debug-bridge/protocol";
import { z } from "zod";
import { listAnswer, outcomeAnswer } from "../answers/act-answer.js";
import { defineTool } from "../tool.js";
import { ACTION_FIELDS, ACTIONS, actionFields, actionsField, readActions } from "./act-input.js";
import { EXPLAINED, maxTokensField, sessionField } from "./fields.js";

/** What an edit did is asked after every save: its answer is short unless more is wanted. */
const EDIT_TOKENS = 300;

export const actTool = defineTool({
  name: "act",
  description: `Acts in a page and returns a receipt of what it caused. One action: type with its fields. Several: actions [{type, …}], ended by the first failure. Types: ${ACTION_FIELDS}`,
  input: z.object({
    session: sessionField,
    type: z.enum(ACTIONS).optional().describe("the action").meta(EXPLAINED),
    ...actionFields(),
    actions: actionsField,
    maxTokens: maxTokensField,
  }),
  readOnly: false,
  check({ session: _session, maxTokens: _maxTokens, ...action }) {
    readActions(action);
  },
  async run({ session, maxTokens, ...action }, bridge) {
    const commands = readActions(action);
    const app = await bridge.session(session);
    if (action.actions) return listAnswer(commands, await app.act(commands), maxTokens);
    const command = commands[0] as CommandInput;
    const isEdit = command.type === "wait_for" && command.edit !== undefined;
    return outcomeAnswer(await app.act(command), maxTokens ?? (isEdit ? EDIT_TOKENS : undefined));
  },
});
