import { sep } from "node:path";
import { thisProgram } from "../this-program.js";

/** How a client starts the MCP server. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
}

/** The name of our entry in the settings of every client. */
export const ENTRY_NAME = "debug-bridge";

/**
 * A command that works from any folder: this program by its path, or through npx if npx has it in its cache, which it may
 * clear at any time.
 */
export function serverProgram(
  options: readonly string[],
  program: readonly [string, ...string[]] = thisProgram(),
  platform: NodeJS.Platform = process.platform,
): ServerProgram {
  const [command, ...words] = program;
  const isCached = words.some((word) => word.includes(`${sep}_npx${sep}`));
  if (!isCached) return { command, args: [...words, "mcp", ...options] };
  const npx = ["npx", "-y", "debug-bridge", "mcp", ...options];
  // On Windows npx is a script, which only a shell can start.
  return platform === "win32"
    ? { command: "cmd", args: ["/c", ...npx] }
    : { command: npx[0] as string, args: npx.slice(1) };
}
