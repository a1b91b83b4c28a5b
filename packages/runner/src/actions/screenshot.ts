import { BridgeError, FIELD_LIMITS, type ImageContent } from "@debug-bridge/protocol";
import { fitJpeg } from "../image/fit.js";
import type { ActionLogs } from "../log/logs.js";
import type { LivePage } from "../session/live-page.js";
import type { ActionContext, ActionYield, InstructionOf } from "./context.js";

export const QUALITY = 25;
/** So that its base64 fits into one field. */
const MOST_BYTES = Math.floor((FIELD_LIMITS.blob * 3) / 4) - 3;
/** No screen is longer, and Chrome draws nothing beyond. */
const MOST_HEIGHT = 16_384;

export interface PictureOptions {
  readonly quality?: number;
  readonly fullPage?: boolean;
  readonly maxBytes?: number | undefined;
}

/**
 * A JPEG of what is visible, or of the whole page. One pixel of it is one CSS pixel whatever the device's pixels are, so
 * that a place in the picture is a place to click.
 */
export async function captureJpeg(
  live: LivePage,
  { quality = QUALITY, fullPage = false }: PictureOptions = {},
): Promise<Buffer> {
  const { cssContentSize, cssVisualViewport: view } = await live.cdp.send("Page.getLayoutMetrics");
  const clip = fullPage
    ? { x: 0, y: 0, width: cssContentSize.width, height: Math.min(cssContentSize.height, MOST_HEIGHT) }
    : { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight };
  const isPlain = !fullPage && live.deviceScaleFactor === 1;
  const { data } = await live.cdp.send("Page.captureScreenshot", {
    format: "jpeg",
    quality,
    ...(isPlain ? {} : { clip: { ...clip, scale: 1 / live.deviceScaleFactor } }),
    ...(fullPage ? { captureBeyondViewport: true } : {}),
  });
  return Buffer.from(data, "base64");
}

/** A picture as an image block, made to fit. `undefined`: it could not be, and the logs say so. */
export async function takePicture(
  live: LivePage,
  logs: ActionLogs,
  options: PictureOptions = {},
): Promise<ImageContent | undefined> {
  const { quality = QUALITY, maxBytes = MOST_BYTES } = options;
  const bytes = await captureJpeg(live, options);
  const fitting = fitJpeg(bytes, { maxBytes: Math.min(maxBytes, MOST_BYTES), quality, logs });
  return fitting && imageBlock(fitting);
}

function imageBlock(jpeg: Uint8Array): ImageContent {
  const data = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength).toString("base64");
  return { type: "image", source: { type: "base64", media_type: "image/jpeg", data } };
}

export async function screenshot(
  context: ActionContext,
  instruction: InstructionOf<"screenshot">,
): Promise<ActionYield> {
  const picture = await takePicture(context.live, context.logs, instruction);
  if (!picture) {
    throw new BridgeError(
      "too_large",
      `the screenshot does not fit into ${instruction.maxBytes} bytes; raise maxBytes`,
      {
        field: "maxBytes",
      },
    );
  }
  return { screenshot: picture };
}
