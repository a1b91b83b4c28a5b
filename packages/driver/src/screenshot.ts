import type { CommandOf } from "@debug-bridge/protocol";
import type { CdpSession } from "./cdp.js";
import type { LiveDocument } from "./documents.js";
import type { EngineLink } from "./engine-link.js";
import type { Box } from "./link-messages.js";

const QUALITY = 25;

/** A picture of what the page shows. */
export interface Screenshot {
  readonly mimeType: "image/jpeg";
  /** Base64. */
  readonly data: string;
}

/** Takes a picture of the viewport, or of one element, with refs drawn over it when asked for. */
export async function takeScreenshot(
  cdp: CdpSession,
  engine: EngineLink,
  document: LiveDocument | undefined,
  { target, labels, quality = QUALITY }: Pick<CommandOf<"screenshot">, "target" | "labels" | "quality">,
): Promise<Screenshot> {
  const clip =
    target && document
      ? (JSON.parse(await engine.call(document, "box", JSON.stringify(target))) as Box)
      : undefined;
  const labelled = labels === true && document !== undefined;
  if (labelled) await engine.call(document, "showLabels");
  try {
    const { data } = await cdp.send<{ data: string }>("Page.captureScreenshot", {
      format: "jpeg",
      quality,
      ...(clip ? { clip: { ...clip, scale: 1 } } : {}),
    });
    return { mimeType: "image/jpeg", data };
  } finally {
    if (labelled) await engine.call(document, "hideLabels").catch(() => {});
  }
}
