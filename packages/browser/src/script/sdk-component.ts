import { componentLines } from "@debug-bridge/page/component";
import { exportsOf } from "../loading/exports-of.js";

/** The script of the SDK that is loaded when the props and state of a component are first asked for. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-component.js")] = { componentLines };
