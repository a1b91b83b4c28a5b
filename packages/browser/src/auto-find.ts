import { find } from "@debug-bridge/page/find";
import { exportsOf } from "./loading/exports-of.js";

/** The third script of the SDK, loaded at the first search: leaves its exports where the second one finds them. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-find.js")] = { find };
