import type { CommandInput } from "@debug-bridge/protocol";
import { check, commandSchema } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import { ownWords } from "../answers/model-text.js";
import { pageAnswer } from "../answers/page-answer.js";
import {
  cursorField,
  EXPLAINED,
  given,
  rareMaxTokensField,
  sessionField,
  targetField,
} from "../input/fields.js";
import { defineTool } from "../tool.js";

/** The command, checked with its own schema: at least one field has to say what to find. */
function readFind(fields: Record<string, unknown>): CommandInput {
  const wire = { sessionId: "find", timestamp: 0, origin: "agent" };
  // A model may write true as a text.
  const shows = fields.source === "true" || fields.source === true ? { source: true } : {};
  const checked = check(commandSchema, { ...given(fields), ...shows, type: "find", ...wire });
  if (!checked.ok) throw checked.error;
  const { sessionId: _session, timestamp: _time, origin: _origin, ...command } = checked.value;
  return command;
}

export const findTool = defineTool({
  name: "find",
  description:
    "Searches the whole page, folded or not; all fields must match. source: component, file:line or true.",
  input: z.object({
    session: sessionField,
    text: z.string().optional().describe("text of the element").meta(EXPLAINED),
    role: z.string().optional().describe("ARIA role, such as button").meta(EXPLAINED),
    name: z.string().optional().describe("accessible name").meta(EXPLAINED),
    pattern: z.string().optional().describe("regex"),
    state: z.string().optional().describe("such as checked, disabled"),
    source: z
      .union([z.string(), z.boolean()])
      .optional()
      .describe("component or file:line that wrote it; true: show where each was written")
      .meta({ shown: { type: "string" } }),
    target: targetField.meta({ hidden: true }),
    cursor: cursorField,
    maxTokens: rareMaxTokensField,
  }),
  readOnly: true,
  check({ session: _session, ...fields }) {
    readFind(fields);
  },
  async run({ session, maxTokens = 2_000, ...fields }, bridge) {
    const command = readFind({ ...fields, maxTokens });
    const result = await (await bridge.session(session)).act(command);
    return pageAnswer(result, maxTokens, {
      unit: [ownWords`match`, ownWords`matches`],
      advice: "search for less",
    });
  },
});
