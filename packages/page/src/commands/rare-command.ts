import { BridgeError, type Command, type CommandOutcome } from "@debug-bridge/protocol";
import { find } from "./find.js";
import { partFor } from "./part-for.js";
import type { CommandContext } from "./run-command.js";

/** Runs the commands that few sessions need. */
export async function runRareCommand(command: Command, context: CommandContext): Promise<CommandOutcome> {
  switch (command.type) {
    case "find":
      return find(command, context);
    case "watch":
      return (await partFor("replay", command, context)).watch(command, context);
    case "page_snapshot":
      return (await partFor("replay", command, context)).pageSnapshot(command, context);
    case "highlight":
    case "pick":
      return (await partFor("point", command, context)).point(command, context);
    case "record_actions":
      return (await partFor("record", command, context)).record(command, context);
    case "keep_chains":
      return (await partFor("causes", command, context)).causes(command, context);
    case "screenshot":
      throw new BridgeError(
        "not_supported",
        "this app does not support screenshots. Use observe, a tab or browser_action",
      );
    default:
      throw new BridgeError("not_supported", `this page does not support the command "${command.type}"`);
  }
}
