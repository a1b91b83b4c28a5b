import * as shared from "@debug-bridge/page/shared";
import { exportsOf } from "../loading/exports-of.js";
import * as half from "../loading/second-half.js";
import type * as module from "../loading/second-half-module.js";

/** The second script of the SDK: leaves its exports where the first one finds them, and what the others share with it. */
const exported: typeof module & { readonly shared: typeof shared } = {
  createSecondHalf: (capture, options, load) =>
    half.createSecondHalf(capture, options, (name) => {
      const file = `sdk-${name}.js`;
      const loading = load(file);
      // The script that loads it is there for a moment, and no change of the app.
      const script = capture.window.document.documentElement.lastElementChild;
      if (script?.getAttribute("src")?.endsWith(`/${file}`)) capture.ours.add(script);
      return loading as never;
    }),
  shared,
};
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-dom.js")] = exported;
