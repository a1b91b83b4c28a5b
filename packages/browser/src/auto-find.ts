import { find } from "@debug-bridge/page/find";
import { FIND } from "./loading/controller-script.js";

/** The third script of the SDK, loaded at the first search: leaves its exports where the second one finds them. */
(globalThis as unknown as Record<symbol, unknown>)[FIND] = { find };
