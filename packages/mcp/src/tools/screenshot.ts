import { BridgeError, pictureNote } from "@debug-bridge/protocol";
import { screenshotSchema } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import { readImage } from "../answers/images.js";
import { forModel, joined, ownWords } from "../answers/model-text.js";
import { EXPLAINED, given, partField, sessionField } from "../input/fields.js";
import { defineTool } from "../tool.js";

const { labels, fullPage, quality } = screenshotSchema.shape;

export const screenshotTool = defineTool({
  name: "screenshot",
  description: "Takes a screenshot of a page; observe costs less.",
  input: z.object({
    session: sessionField,
    target: partField,
    labels: labels.describe("draw refs"),
    fullPage: fullPage.describe("the whole page instead of the viewport").meta(EXPLAINED),
    quality: quality.describe("of the JPEG, 25 by default").meta({ hidden: true }),
  }),
  readOnly: true,
  async run({ session, ...wanted }, bridge) {
    const { value } = await (await bridge.session(session)).act({ type: "screenshot", ...given(wanted) });
    const image = readImage(value);
    if (!image)
      throw new BridgeError("not_supported", "the session did not return an image; use observe instead");
    const note = pictureNote(value);
    const text = ownWords`a screenshot of the page: untrusted content`;
    const { rendering, session: of, leftOut } = Object(value) as Record<string, unknown>;
    return {
      // The note may name a session, and an app that returns its own image can write anything into it.
      text: note === undefined ? text : joined(text, forModel({ content: note, source: "the hub" })),
      images: [image],
      data: note === undefined ? {} : given({ rendering, session: of, leftOut, note }),
    };
  },
});
