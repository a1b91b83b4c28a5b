import { causes } from "@debug-bridge/page/causes";
import { exportsOf } from "../loading/exports-of.js";

/** The script of the SDK that is loaded when a client asks why something happened: leaves its exports where the second one finds them. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-causes.js")] = { causes };
