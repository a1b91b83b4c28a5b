import { rmSync } from "node:fs";
import { join } from "node:path";
import { appendLine } from "../lines/append-file.js";

/** Exists in the folder of a hooked agent while its hooks do not have to look for commands. */
export const QUIET_FILE = "quiet";

/** Appends a command to the commands of an agent, and makes sure that its next hook looks for it. */
export function appendCommand(folder: string, command: Readonly<Record<string, unknown>>): void {
  const timestamp = new Date().toISOString();
  appendLine(join(folder, "commands.jsonl"), JSON.stringify({ ...command, timestamp }));
  rmSync(join(folder, QUIET_FILE), { force: true });
}
