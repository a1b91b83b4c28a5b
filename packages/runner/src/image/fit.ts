import type { ActionLogs } from "../report/logs.js";
import { decodeJpeg, encodeJpeg, scaleDown } from "./jpeg.js";

/** Nothing on a page can be recognised below this width. */
const MIN_WIDTH = 64;
const STEP = 0.7;

export interface FitOptions {
  readonly maxBytes: number;
  readonly quality: number;
  readonly logs: ActionLogs;
}

/** A picture whose pixels are CSS pixels, from one whose pixels are those of the device. */
export function toCssPixels(bytes: Uint8Array, deviceScaleFactor: number, quality: number): Uint8Array {
  if (deviceScaleFactor <= 1) return bytes;
  return encodeJpeg(scaleDown(decodeJpeg(bytes), 1 / deviceScaleFactor), quality);
}

/**
 * A picture of at most `maxBytes`: scaled down, step by step, until it fits. `undefined` when it cannot be made small
 * enough. Each step is logged.
 */
export function fitJpeg(bytes: Uint8Array, { maxBytes, quality, logs }: FitOptions): Uint8Array | undefined {
  if (bytes.length <= maxBytes) return bytes;
  const whole = decodeJpeg(bytes);
  logs.tool(
    "info",
    `the screenshot has ${bytes.length} bytes (${whole.width} × ${whole.height}); ${maxBytes} are allowed`,
  );
  // The size in bytes grows with the area, so the first step is a good guess.
  let factor = Math.min(STEP, Math.sqrt(maxBytes / bytes.length));
  for (; whole.width * factor >= MIN_WIDTH; factor *= STEP) {
    const smaller = scaleDown(whole, factor);
    const encoded = encodeJpeg(smaller, quality);
    logs.tool("info", `scaled down to ${smaller.width} × ${smaller.height}: ${encoded.length} bytes`);
    if (encoded.length <= maxBytes) return encoded;
  }
  logs.tool(
    "warning",
    `the screenshot is left out: it does not fit into ${maxBytes} bytes even at ${MIN_WIDTH} pixels width; raise maxBytes`,
  );
  return undefined;
}
