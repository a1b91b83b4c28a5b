import { createDomHalf } from "@debug-bridge/page/dom";
import { DOM_HALF } from "./dom-script.js";

/** The second script of the SDK: leaves the half that looks and acts where the first one finds it. */
(globalThis as unknown as Record<symbol, unknown>)[DOM_HALF] = { createDomHalf };
