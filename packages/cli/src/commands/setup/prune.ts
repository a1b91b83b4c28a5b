import { KEPT_SESSIONS, pruneSessions } from "@debug-bridge/journal";
import { Command, InvalidArgumentError } from "commander";
import { rootFor } from "../../agent/session/choose-session.js";
import { withDir, withHome, withJson } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine } from "../../terminal/output.js";

interface PruneOptions {
  readonly keep: number;
  readonly home?: string;
  readonly dir?: string;
  readonly json?: boolean;
}

export function pruneCommand(): Command {
  const command = withDir(withJson(withHome(new Command("prune"))))
    .option("--keep <n>", "how many sessions to keep", parseKeep, KEPT_SESSIONS)
    .action(async (options: PruneOptions) => {
      const removed = pruneSessions(rootFor(options), options.keep);
      if (options.json) await printJson({ removed });
      else printLine(`${removed.length} ${removed.length === 1 ? "session" : "sessions"} removed`);
    });
  return addDetails(command, {
    notes: "Sessions of agents that still run are kept.",
    examples: ["debug-bridge prune", "debug-bridge prune --keep 5"],
  });
}

function parseKeep(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}
