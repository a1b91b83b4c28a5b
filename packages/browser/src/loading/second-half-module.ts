import type { TelemetryCapture } from "@debug-bridge/page/capture";
import type { LoadPart } from "@debug-bridge/page/dom";
import type { LoadScript } from "./controller-loader.js";
import * as half from "./second-half.js";

const MODULES = {
  act: () => import("@debug-bridge/page/act"),
  find: () => import("@debug-bridge/page/find"),
};
const loadPart = ((name) => MODULES[name]()) as LoadPart;

/** The second half in a bundled app, where the parts that act and search are modules of their own. */
export function createSecondHalf(
  capture: TelemetryCapture,
  options: half.SecondHalfOptions,
  _load: LoadScript,
): half.SecondHalf {
  return half.createSecondHalf(capture, options, loadPart);
}
