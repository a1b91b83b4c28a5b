import * as source from "@debug-bridge/page/sources";
import { exportsOf } from "../loading/exports-of.js";

/** The script of the SDK that is loaded when a source is first asked for: leaves its exports where the second one finds them. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-source.js")] = source;
