import { act } from "@debug-bridge/page/act";
import { exportsOf } from "../loading/exports-of.js";

/** The script of the SDK that is loaded at the first action: leaves its exports where the second one finds them. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-act.js")] = { act };
