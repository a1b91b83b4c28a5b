import type { TelemetryCapture } from "@debug-bridge/page/capture";
import type { LoadPart } from "./controller-loader.js";
import * as half from "./second-half.js";

/** The second half in a bundled app, where the part that searches is a module of its own. */
export function createSecondHalf(
  capture: TelemetryCapture,
  options: half.SecondHalfOptions,
  _load: LoadPart,
): half.SecondHalf {
  return half.createSecondHalf(capture, options, () => import("@debug-bridge/page/find"));
}
