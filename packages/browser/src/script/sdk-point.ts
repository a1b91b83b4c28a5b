import { point } from "@debug-bridge/page/point";
import { exportsOf } from "../loading/exports-of.js";

/** The script of the SDK that is loaded when a person marks or picks an element: leaves its exports where the others find them. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-point.js")] = { point };
