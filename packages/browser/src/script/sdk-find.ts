import { runRareCommand } from "@debug-bridge/page/find";
import { exportsOf } from "../loading/exports-of.js";

/** The script of the SDK that is loaded at the first search, or what few sessions need: leaves its exports where the second one finds them. */
(globalThis as unknown as Record<symbol, unknown>)[exportsOf("sdk-find.js")] = { runRareCommand };
