import { basename, join } from "node:path";
import type { SessionFile } from "@debug-bridge/protocol";

/** Whether the agent with this folder is codi, which has other names for some commands. Ours say what kind they are. */
export function isCodi(folder: string, about: SessionFile | undefined): boolean {
  return about?.kind === undefined && basename(join(folder, "..", "..", "..")) === ".codi";
}
