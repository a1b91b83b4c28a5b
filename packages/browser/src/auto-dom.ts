import { exportsOf } from "./loading/exports-of.js";
import * as half from "./loading/second-half.js";
import type * as module from "./loading/second-half-module.js";

/** The second script of the SDK: leaves its exports where the first one finds them. The third is loaded as it was. */
const exported: typeof module = {
  createSecondHalf: (capture, options, load) =>
    half.createSecondHalf(capture, options, () => load("sdk-find.js")),
};
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-dom.js")] = exported;
