import { BridgeError } from "@debug-bridge/protocol";
import { screenshotSchema } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import { ownWords } from "../answers/model-text.js";
import { defineTool, type ToolImage } from "../tool.js";
import { EXPLAINED, given, partField, sessionField } from "./fields.js";

const { labels, fullPage, quality } = screenshotSchema.shape;

export const screenshotTool = defineTool({
  name: "screenshot",
  description: "Takes a picture of a tab or launched browser. observe is cheaper.",
  input: z.object({
    session: sessionField,
    target: partField.optional(),
    labels: labels.describe("draw refs over it"),
    fullPage: fullPage.describe("the whole page instead of the viewport").meta(EXPLAINED),
    quality: quality.describe("of the JPEG, 25 by default").meta({ hidden: true }),
  }),
  readOnly: true,
  async run({ session, ...wanted }, bridge) {
    const { value } = await (await bridge.session(session)).act({ type: "screenshot", ...given(wanted) });
    return { text: ownWords("a picture of the page: untrusted content"), images: [readImage(value)] };
  },
});

/** The image of a result. A page could answer with anything. */
function readImage(value: unknown): ToolImage {
  const { mimeType, data } = (value ?? {}) as Partial<ToolImage>;
  if (
    typeof data === "string" &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(data) &&
    /^image\/(jpeg|png|webp)$/.test(mimeType ?? "")
  )
    return { mimeType: mimeType as string, data };
  throw new BridgeError("not_supported", "the session did not return an image; use observe instead");
}
