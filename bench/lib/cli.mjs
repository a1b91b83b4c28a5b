import { fileURLToPath } from "node:url";

/** The command that people run: the bundle, not the modules that it is made of. */
export const CLI = fileURLToPath(new URL("../../packages/cli/bin/debug-bridge.js", import.meta.url));
