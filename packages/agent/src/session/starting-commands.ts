import { renameSync, rmSync } from "node:fs";
import { appendLine, readRegular } from "@debug-bridge/journal";

/** Names the file for agents that are debugged in another process. */
export const STARTING_COMMANDS = "DEBUG_BRIDGE_COMMANDS";

/**
 * Moves the commands of a file into the commands of a session. Only the first session gets them: an agent that this one
 * starts sees the same environment, and is not meant.
 */
export function moveStartingCommands(file: string | undefined, commandsFile: string): void {
  if (file === undefined || file === "") return;
  const taken = `${file}.${process.pid}`;
  try {
    renameSync(file, taken);
  } catch {
    // There are none, or they were taken.
    return;
  }
  try {
    for (const line of readRegular(taken).split("\n")) if (line !== "") appendLine(commandsFile, line);
  } finally {
    rmSync(taken, { force: true });
  }
}
