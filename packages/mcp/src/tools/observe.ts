import { z } from "zod";
import { defineTool } from "../tool.js";
import { maxTokensField, sessionField, targetField } from "./fields.js";

export const observeTool = defineTool({
  name: "observe",
  title: "Observe",
  description:
    "Shows what a person could see and use in a page, one element a line with its ref. Repeated rows are folded; cursor reaches the rest, since shows only what changed.",
  input: z.object({
    session: sessionField,
    target: targetField.optional(),
    since: z.int().optional().describe("a version: only what changed after it"),
    cursor: z.string().optional().describe("goes on where the last answer stopped"),
    maxTokens: maxTokensField,
  }),
  readOnly: true,
  async run({ session, ...wanted }, bridge) {
    const options = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const observation = await (await bridge.session(session)).observe(options);
    const { text, version, total, nextCursor } = observation;
    const more = nextCursor === undefined ? "" : `; there is more: cursor ${nextCursor}`;
    return { text: `${text}\nversion ${version}, ${total} elements${more}`, data: observation };
  },
});
