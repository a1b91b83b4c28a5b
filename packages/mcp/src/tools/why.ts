import { type WhyAnswer, whyLines } from "@debug-bridge/protocol";
import { z } from "zod";
import { FRAME_TOKENS, fitLines } from "../answers/fit.js";
import { forModel } from "../answers/model-text.js";
import type { Bridge } from "../bridge.js";
import { maxTokensField, sessionField } from "../input/fields.js";
import { defineTool, type ToolAnswer } from "../tool.js";

const CUT = "[more is left out; ask with a larger maxTokens]";

export const whyTool = defineTool({
  name: "why",
  description:
    "Explains an error, a request, a change or a console line: what caused it, back to the action, edit or agent step, with the evidence for each link, or unknown.",
  input: z.object({
    session: sessionField,
    record: z
      .int()
      .min(0)
      .optional()
      .describe("number of a record, as logs shows it; by default the newest failure"),
    recording: z.string().optional().describe("id of a recording to look into, instead of a session"),
    maxTokens: maxTokensField,
  }),
  readOnly: true,
  run: async ({ session, record = 0, recording, maxTokens }, bridge) =>
    recording === undefined
      ? explain(bridge, `sessions/${encodeURIComponent(await bridge.choose(session))}`, record, maxTokens)
      : explain(bridge, `recordings/${encodeURIComponent(recording)}`, record, maxTokens),
});

/** Why a record of a session or a recording came about; of 0, the newest failure. */
export async function explain(
  { hub }: Bridge,
  about: string,
  record: number,
  maxTokens = 2_000,
): Promise<ToolAnswer> {
  const answer = (await hub.get(`/v1/${about}/why${record === 0 ? "" : `?record=${record}`}`)) as WhyAnswer;
  const lines = fitLines(whyLines(answer), Math.max(maxTokens - FRAME_TOKENS, FRAME_TOKENS), CUT);
  const text = forModel({
    content: lines.join("\n"),
    source: "the session",
    maxTokens: maxTokens + FRAME_TOKENS,
  });
  return { text, data: answer };
}
