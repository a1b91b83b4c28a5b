import type { CommandInput, CommandResult } from "@debug-bridge/protocol";
import { z } from "zod";
import { listAnswer, outcomeAnswer } from "../answers/act-answer.js";
import { splitPictures } from "../answers/images.js";
import { placedErrors } from "../answers/placed-errors.js";
import { ACTION_FIELDS, ACTIONS, actionFields, actionsField, readActions } from "../input/act-input.js";
import { EXPLAINED, maxTokensField, sessionField } from "../input/fields.js";
import { defineTool } from "../tool.js";

/** What an edit did is asked after every save: its answer is short unless more is wanted. */
const EDIT_TOKENS = 300;

export const actTool = defineTool({
  name: "act",
  description: `Acts in a page and returns a receipt of what it caused. One action: type with its fields. Several: actions [{type, …}], up to the first failure. Types: ${ACTION_FIELDS}`,
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
    const id = await bridge.choose(session);
    const app = await bridge.session(id);
    if (action.actions) {
      const { results, ...rest } = await app.act(commands);
      const taken = (await placedErrors(results, id, bridge)).map(splitPictures);
      const answer = listAnswer(commands, { ...rest, results: taken.map(({ result }) => result) }, maxTokens);
      return { ...answer, images: taken.flatMap(({ images }) => images) };
    }
    const command = commands[0] as CommandInput;
    const isEdit = command.type === "wait_for" && command.edit !== undefined;
    const [outcome] = await placedErrors([await app.act(command)], id, bridge);
    if (!isEdit) return outcomeAnswer(outcome as CommandResult, maxTokens);
    const { result, images } = splitPictures(outcome as CommandResult);
    return { ...outcomeAnswer(result, maxTokens ?? EDIT_TOKENS), images };
  },
});
