import { createHash } from "node:crypto";
import { join } from "node:path";
import { debugPaths, readRegular } from "@debug-bridge/journal";

/** The file that holds the session of an agent. The agent's id comes from outside, so only its hash is a file name. */
export function hookFile(root: string, agentSession: string): string {
  return join(debugPaths(root).hooks, createHash("sha256").update(agentSession).digest("hex").slice(0, 32));
}

/** The session in which an agent is debugged through its hooks; undefined before its first hook. */
export function hookedSession(root: string, agentSession: string): string | undefined {
  return readId(hookFile(root, agentSession));
}

export function readId(file: string): string | undefined {
  try {
    return readRegular(file).trim() || undefined;
  } catch {
    return undefined;
  }
}
