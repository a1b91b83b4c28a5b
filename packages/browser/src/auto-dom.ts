import { CONTROLLER } from "./loading/controller-script.js";
import { createSecondHalf } from "./loading/second-half.js";

/** The second script of the SDK: leaves its exports where the first one finds them. */
(globalThis as unknown as Record<symbol, unknown>)[CONTROLLER] = { createSecondHalf };
