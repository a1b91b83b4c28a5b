import { KEPT_SESSIONS, pruneSessions } from "@debug-bridge/journal";
import { Command, InvalidArgumentError } from "commander";
import { rootFor } from "../agent/choose-session.js";

export function pruneCommand(): Command {
  return new Command("prune")
    .description("remove the oldest recorded sessions; those that run stay")
    .option("--keep <n>", "how many to keep", parseKeep, KEPT_SESSIONS)
    .option("--dir <dir>", "where the sessions are (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)")
    .option("--json", "print the ids of those that were removed")
    .addHelpText("after", "\nExamples:\n  debug-bridge prune\n  debug-bridge prune --keep 5")
    .action((options: { keep: number; dir?: string; json?: boolean }) => {
      const removed = pruneSessions(rootFor(options.dir), options.keep);
      const text = options.json ? JSON.stringify({ removed }) : `${removed.length} sessions removed`;
      process.stdout.write(`${text}\n`);
    });
}

function parseKeep(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A whole number.");
}
