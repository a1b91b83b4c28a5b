import { pageSnapshot, watch } from "@debug-bridge/page/replay";
import { exportsOf } from "../loading/exports-of.js";

/** The script of the SDK that is loaded when somebody watches the page: leaves its exports where the others find them. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-replay.js")] = { pageSnapshot, watch };
