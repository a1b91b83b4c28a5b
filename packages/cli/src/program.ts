import { BridgeError, nearest, similarity } from "@debug-bridge/protocol";
import { Command, CommanderError } from "commander";
import { loadCommands } from "./catalog.js";
import { prepare } from "./commander.js";
import { addDetails } from "./terminal/help.js";
import { printMessage } from "./terminal/output.js";
import { paint } from "./terminal/style.js";
import { UsageError } from "./usage-error.js";
import { VERSION } from "./version.js";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Commands that keep running when nobody reads their output. */
const LONG_RUNNING = new Set(["up", "mcp", "agent run"]);

/** The reader of a pipe may leave early (`| head`): then the command ends. */
function endWithReader([name = "", verb = ""]: readonly string[]): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!LONG_RUNNING.has(name) && !LONG_RUNNING.has(`${name} ${verb}`)) process.exit();
  });
}

/** The program with these commands. */
export function buildProgram(commands: readonly Command[]): Command {
  const program = new Command("debug-bridge")
    .description("connect agents and people to the apps that they debug")
    .usage("COMMAND [options]")
    .version(VERSION, "-V, --version", "print the version");
  for (const command of commands) program.addCommand(command);
  program.hook("preAction", async (_program, command) => {
    if (command.name() !== "sessions" && command.parent?.name() !== "agent") return;
    const { readSpool } = await import("./agent/hook/spool.js");
    await readSpool(command.opts());
  });
  addDetails(program, {
    notes: "State is stored in $DEBUG_BRIDGE_HOME, by default ~/.debug-bridge.",
    examples: [
      "debug-bridge up --demo        start the hub with a small app to try it on",
      "debug-bridge open             open the dashboard",
      "debug-bridge console          show the browser console in the terminal",
      "debug-bridge mcp              serve the tools to any agent that speaks MCP",
      "debug-bridge observe          show an app as agents see it",
      "debug-bridge agent watch      show what an agent does",
      "debug-bridge doctor           check the installation",
    ],
  });
  return prepare(program);
}

/** Runs the command line and resolves with the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const words = helpWords(argv.slice(2));
  endWithReader(words);
  try {
    const program = buildProgram(await loadCommands(words));
    assertKnown(program, words);
    await program.parseAsync(words, { from: "user" });
    return typeof process.exitCode === "number" ? process.exitCode : 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : EXIT_USAGE;
    printMessage(`${paint("red", "error")}: ${BridgeError.from(thrown).message}`);
    return thrown instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** `help agent pause` is `agent pause --help`. */
function helpWords(words: readonly string[]): string[] {
  return words[0] === "help" ? [...words.slice(1), "--help"] : [...words];
}

/** An unknown command is wrong usage, even with `--help` after it. */
function assertKnown(program: Command, words: readonly string[]): void {
  let command = program;
  for (const word of words) {
    if (word.startsWith("-") || command.commands.length === 0) return;
    const names = command.commands.map((each) => each.name());
    const next = command.commands.find((each) => each.name() === word);
    // The word may be an argument of a command that also has subcommands.
    if (!next && command.registeredArguments.length > 0) return;
    if (!next) {
      const [close] = nearest(word, names, (name) => [name], 1).filter(
        (name) => similarity(word, name) >= 0.5,
      );
      const hint = close === undefined ? `use one of ${names.join(", ")}` : `Did you mean ${close}?`;
      throw new UsageError(`unknown command '${word}'; ${hint} (run debug-bridge --help for all commands)`);
    }
    command = next;
  }
}
