import { z } from "zod";
import { defineTool, type ToolImage } from "../tool.js";
import { sessionField, targetField } from "./fields.js";

export const screenshotTool = defineTool({
  name: "screenshot",
  title: "Screenshot",
  description:
    "A picture of what a tab or a launched browser shows, or of one element; labels draws the refs over it. observe is cheaper and says more.",
  input: z.object({
    session: sessionField,
    target: targetField.optional(),
    labels: z.boolean().optional(),
    quality: z.int().min(1).max(100).optional().describe("of the JPEG; 25 when left out"),
  }),
  readOnly: true,
  async run({ session, target, labels, quality }, bridge) {
    const { value } = await (await bridge.session(session)).act({
      type: "screenshot",
      ...(target ? { target } : {}),
      ...(labels === undefined ? {} : { labels }),
      ...(quality === undefined ? {} : { quality }),
    });
    return { text: "a picture of the page: untrusted content", images: [value as ToolImage] };
  },
});
