import type { TelemetryCapture } from "@debug-bridge/page/capture";
import type { LoadPart } from "@debug-bridge/page/dom";
import { followUpdates } from "../dev/code-updates.js";
import type { LoadScript } from "./controller-loader.js";
import * as half from "./second-half.js";

const MODULES = {
  act: () => import("@debug-bridge/page/act"),
  find: () => import("@debug-bridge/page/find"),
  record: () => import("@debug-bridge/page/record"),
  causes: () => import("@debug-bridge/page/causes"),
  point: () => import("@debug-bridge/page/point"),
  replay: () => import("@debug-bridge/page/replay"),
  component: () => import("@debug-bridge/page/component"),
  source: () => import("@debug-bridge/page/sources"),
};
const loadPart = ((name) => MODULES[name]()) as LoadPart;

/** The second half in a bundled app, where the other parts are separate modules. */
export function createSecondHalf(
  capture: TelemetryCapture,
  options: half.SecondHalfOptions,
  _load: LoadScript,
): half.SecondHalf {
  const created = half.createSecondHalf(capture, options, loadPart);
  const { guard, state, emit } = capture;
  const { view, activity } = created.page;
  followUpdates({ view, activity, state, guard, emit, caughtUp: undefined });
  return created;
}
