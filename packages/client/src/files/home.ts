import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The folder that holds all state: the one that is given, else `$DEBUG_BRIDGE_HOME`, else `~/.debug-bridge`. An empty
 * text counts as left out.
 */
export function homeFolder(home?: string, env: NodeJS.ProcessEnv = process.env): string {
  return home || env.DEBUG_BRIDGE_HOME || join(homedir(), ".debug-bridge");
}
