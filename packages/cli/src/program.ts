import { BridgeError } from "@debug-bridge/protocol";
import { Command, CommanderError } from "commander";
import { breakpointCommand } from "./commands/breakpoint.js";
import { consoleCommand } from "./commands/console.js";
import { controlCommands } from "./commands/control.js";
import { doctorCommand } from "./commands/doctor.js";
import { extensionCommand } from "./commands/extension.js";
import { hookCommand } from "./commands/hook.js";
import { pruneCommand } from "./commands/prune.js";
import { replayCommand } from "./commands/replay.js";
import { runCommand } from "./commands/run.js";
import { sessionsCommand } from "./commands/sessions.js";
import { upCommand } from "./commands/up.js";
import { watchCommand } from "./commands/watch.js";
import { paint } from "./terminal.js";
import { VERSION } from "./version.js";

const EXIT_FAILED = 1;
const EXIT_WRONG_CALL = 2;

const EXAMPLES = `
Examples:
  debug-bridge up                       start the hub on its usual ports
  debug-bridge up --port 0 --json       on a free port, for programs
  debug-bridge up --demo                with a small app to try it on
  debug-bridge console                  the browser's console, in the terminal
  debug-bridge sessions                 what is connected, and which agents run
  debug-bridge watch                    what an agent does, as it happens
  debug-bridge pause                    stop an agent before its next call of the model
  debug-bridge extension                the Chrome extension, and how to load it
  debug-bridge doctor                   what is installed, reachable, wrong

Documentation: docs/ in the repository. State is kept in $DEBUG_BRIDGE_HOME, by default ~/.debug-bridge`;

function buildProgram(): Command {
  const program = new Command("debug-bridge")
    .description("Agents see and act in web apps; people see and steer agents.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(run debug-bridge --help for all commands)")
    .showSuggestionAfterError()
    .exitOverride();
  for (const command of [
    upCommand(),
    consoleCommand(),
    sessionsCommand(),
    runCommand(),
    watchCommand(),
    ...controlCommands(),
    breakpointCommand(),
    replayCommand(),
    pruneCommand(),
    hookCommand(),
    extensionCommand(),
    doctorCommand(),
  ]) {
    command.exitOverride().showSuggestionAfterError().helpOption("-h, --help", "print help");
    program.addCommand(command);
  }
  return program;
}

/** Runs the command line; resolves with the exit code: 0 done, 1 failed, 2 wrong call. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync(argv);
    return typeof process.exitCode === "number" ? process.exitCode : 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : EXIT_WRONG_CALL;
    const error = BridgeError.from(thrown);
    process.stderr.write(`${paint("red", "error")}: ${error.message}\n`);
    return EXIT_FAILED;
  }
}
