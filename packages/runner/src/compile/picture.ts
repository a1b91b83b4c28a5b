import { BridgeError, FIELD_LIMITS, type ImageContent } from "@debug-bridge/protocol";
import type { PageCommands } from "../hub/page-commands.js";
import { fitJpeg, toCssPixels } from "../image/fit.js";
import type { ActionLogs } from "../report/logs.js";
import type { ActionContext, ActionYield, InstructionOf } from "./context.js";

export const QUALITY = 25;
/** Its base64 must fit into one field. */
const MAX_BYTES = Math.floor((FIELD_LIMITS.blob * 3) / 4) - 3;

export interface PictureOptions {
  readonly quality?: number;
  readonly fullPage?: boolean;
  readonly maxBytes?: number | undefined;
  /** Device pixels per CSS pixel; 1 when left out. */
  readonly deviceScaleFactor?: number;
}

/** A JPEG of the viewport, or of the whole page. */
export async function captureJpeg(
  commands: PageCommands,
  { quality = QUALITY, fullPage = false }: PictureOptions = {},
): Promise<Buffer> {
  const { value } = await commands.run({ type: "screenshot", quality, fullPage });
  return Buffer.from((value as { data: string }).data, "base64");
}

/**
 * A picture as an image block of at most `maxBytes`. One pixel of it is one CSS pixel, so that a place in the picture is a
 * place to click. `undefined` when it does not fit, which the logs explain.
 */
export async function takePicture(
  commands: PageCommands,
  logs: ActionLogs,
  options: PictureOptions = {},
): Promise<ImageContent | undefined> {
  const { quality = QUALITY, maxBytes = MAX_BYTES, deviceScaleFactor = 1 } = options;
  const captured = await captureJpeg(commands, options);
  const bytes = toCssPixels(captured, deviceScaleFactor, quality);
  const fitting = fitJpeg(bytes, { maxBytes: Math.min(maxBytes, MAX_BYTES), quality, logs });
  return fitting && imageBlock(fitting);
}

function imageBlock(jpeg: Uint8Array): ImageContent {
  const data = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength).toString("base64");
  return { type: "image", source: { type: "base64", media_type: "image/jpeg", data } };
}

export async function screenshot(
  { commands, config, logs }: ActionContext,
  instruction: InstructionOf<"screenshot">,
): Promise<ActionYield> {
  const { deviceScaleFactor } = config;
  const picture = await takePicture(commands, logs, { ...instruction, deviceScaleFactor });
  if (picture) return { screenshot: picture };
  throw new BridgeError(
    "too_large",
    `the screenshot does not fit into ${instruction.maxBytes} bytes; raise maxBytes`,
    { field: "maxBytes" },
  );
}
