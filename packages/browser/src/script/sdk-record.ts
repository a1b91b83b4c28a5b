import { record } from "@debug-bridge/page/record";
import { exportsOf } from "../loading/exports-of.js";

/** The script of the SDK that is loaded when a recording starts: leaves its exports where the second one finds them. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-record.js")] = { record };
