import { z } from "zod";
import { FRAME_TOKENS } from "../answers/fit.js";
import { forModel, safeCursor, safeNumber } from "../answers/model-text.js";
import { defineTool } from "../tool.js";
import { maxTokensField, sessionField, targetField } from "./fields.js";

export const observeTool = defineTool({
  name: "observe",
  title: "Observe",
  description:
    "Shows what a person could see and use in a page, one element per line with its ref. Repeated rows are folded: cursor returns the rest. since returns only what changed.",
  input: z.object({
    session: sessionField,
    target: targetField.optional(),
    since: z.int().optional().describe("only what changed after this version"),
    cursor: z.string().optional().describe("continues where the last answer stopped"),
    maxTokens: maxTokensField,
  }),
  readOnly: true,
  async run({ session, maxTokens = 2_000, ...wanted }, bridge) {
    const options = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const app = await bridge.session(session);
    const {
      result = "",
      value,
      page,
    } = await app.act({
      ...{ type: "request_ui_tree", format: "text", maxTokens },
      ...options,
    });
    const { version, url } = (value ?? {}) as { version?: unknown; url?: unknown };
    const cursor = safeCursor(page?.nextCursor);
    const counts = { version: safeNumber(version), total: safeNumber(page?.total) };
    const text = forModel({
      content: typeof url === "string" && !result.includes(url) ? `at ${url}\n${result}` : result,
      source: "the page",
      note: noteOf(counts, cursor),
      // The page keeps to the budget itself; this is for one that does not.
      maxTokens: maxTokens + 2 * FRAME_TOKENS,
      advice: "observe a part of it with target",
    });
    const more = cursor === undefined ? {} : { nextCursor: cursor };
    return { text, data: { text, ...counts, tokens: page?.tokens ?? 0, ...more } };
  },
});

function noteOf(
  { version, total }: { version: number | undefined; total: number | undefined },
  cursor: string | undefined,
): string {
  const more = cursor === undefined ? "" : `; there is more: cursor ${cursor}`;
  return `version ${version ?? "unknown"}, ${total ?? 0} elements${more}`;
}
