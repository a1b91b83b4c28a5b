import { browserActionDefinition as definition } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import { browserReport, reportBudget } from "../answers/browser-report.js";
import { errorCode, forModel, ownWords } from "../answers/model-text.js";
import { EXPLAINED, rareMaxTokensField } from "../input/fields.js";
import { defineTool } from "../tool.js";

export const browserActionTool = defineTool({
  name: definition.name,
  description: definition.description,
  input: z.object({
    instruction: definition.inputSchema.shape.instruction.meta(EXPLAINED),
    maxTokens: rareMaxTokensField,
  }),
  readOnly: false,
  async run({ instruction, maxTokens }, bridge) {
    let response = await bridge.browserAction(instruction);
    // The instruction was refused before it did anything on the site, so it is the same one after the answer.
    if (response.error?.code === "grant_needed" && (await bridge.untilAnswered()).length > 0)
      response = await bridge.browserAction(instruction);
    const { screenshots, ...data } = response;
    const images = [screenshots?.pre, screenshots?.post].flatMap((image) =>
      image ? [{ data: image.source.data, mimeType: image.source.media_type }] : [],
    );
    return {
      text: forModel({
        content: browserReport(response, maxTokens),
        source: "the launched browser",
        note: response.success
          ? ownWords`browser_action succeeded`
          : ownWords`browser_action failed: ${errorCode(response.error ?? { code: "internal" })}`,
        maxTokens: reportBudget(response, maxTokens),
      }),
      images,
      data,
      isError: !response.success,
    };
  },
});
