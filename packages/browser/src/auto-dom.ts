import { CONTROLLER, FIND, loadScript } from "./loading/controller-script.js";
import * as half from "./loading/second-half.js";
import type * as module from "./loading/second-half-module.js";

/** The second script of the SDK: leaves its exports where the first one finds them, and loads the third from beside it. */
const source = (document.currentScript as HTMLScriptElement | null)?.src ?? "";
const loadFind = loadScript<typeof import("@debug-bridge/page/find")>(source, "sdk-find.js", FIND);
const exported: typeof module = {
  createSecondHalf: (capture, options) => half.createSecondHalf(capture, options, loadFind),
};
(globalThis as unknown as Record<symbol, unknown>)[CONTROLLER] = exported;
