import { BridgeError } from "@debug-bridge/protocol";
import { Command, CommanderError } from "commander";
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
  debug-bridge mcp                      the tools, for any agent that speaks MCP
  debug-bridge observe                  what an app shows, as agents see it
  debug-bridge action XML               one step in a Chrome of its own, told in full
  debug-bridge sessions                 what is connected, and which agents run
  debug-bridge watch                    what an agent does, as it happens
  debug-bridge attach                   watch it and steer it, in one view
  debug-bridge pause                    stop an agent before its next call of the model
  debug-bridge extension                the Chrome extension, and how to load it
  debug-bridge doctor                   what is installed, reachable, wrong

Documentation: docs/ in the repository. State is kept in $DEBUG_BRIDGE_HOME, by default ~/.debug-bridge`;

type Load = () => Promise<Command[]>;

/** The commands, by name. The hub and the validators take time to load, so that only what is called is loaded. */
const control: Load = async () => (await import("./commands/control.js")).controlCommands();
const tools: Load = async () => (await import("./commands/tools.js")).toolCommands();
const COMMANDS: Readonly<Record<string, Load>> = {
  up: async () => [(await import("./commands/up.js")).upCommand()],
  console: async () => [(await import("./commands/console.js")).consoleCommand()],
  sessions: async () => [(await import("./commands/sessions.js")).sessionsCommand()],
  mcp: async () => [(await import("./commands/mcp.js")).mcpCommand()],
  observe: tools,
  act: tools,
  logs: tools,
  eval: tools,
  screenshot: tools,
  action: async () => [(await import("./commands/action.js")).actionCommand()],
  run: async () => [(await import("./commands/run.js")).runCommand()],
  watch: async () => [(await import("./commands/watch.js")).watchCommand()],
  attach: async () => [(await import("./commands/attach.js")).attachCommand()],
  pause: control,
  resume: control,
  step: control,
  inspect: control,
  inject: control,
  set: control,
  cancel: control,
  checkpoint: control,
  rewind: control,
  branch: control,
  diff: async () => [(await import("./commands/diff.js")).diffCommand()],
  breakpoint: async () => [(await import("./commands/breakpoint.js")).breakpointCommand()],
  replay: async () => [(await import("./commands/replay.js")).replayCommand()],
  export: async () => [(await import("./commands/export.js")).exportCommand()],
  prune: async () => [(await import("./commands/prune.js")).pruneCommand()],
  hook: async () => [(await import("./commands/hook.js")).hookCommand()],
  extension: async () => [(await import("./commands/extension.js")).extensionCommand()],
  doctor: async () => [(await import("./commands/doctor.js")).doctorCommand()],
};

/** What is started to stay: it goes on when nobody reads what it prints. */
const STAYING = new Set(["up", "mcp", "run"]);

/** A reader that goes away (`| head`) has seen enough. */
function endWithReader(name: string): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!STAYING.has(name)) process.exit();
  });
}

async function buildProgram(name: string): Promise<Command> {
  const program = new Command("debug-bridge")
    .description("Agents see and act in web apps; people see and steer agents.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(run debug-bridge --help for all commands)")
    .showSuggestionAfterError()
    .exitOverride();
  const one = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const loads = one ? [one] : [...new Set(Object.values(COMMANDS))];
  for (const command of (await Promise.all(loads.map((load) => load()))).flat()) {
    command.exitOverride().showSuggestionAfterError().helpOption("-h, --help", "print help");
    program.addCommand(command);
  }
  return program;
}

/** Runs the command line; resolves with the exit code: 0 done, 1 failed, 2 wrong call. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const name = argv[2] ?? "";
  endWithReader(name);
  try {
    const program = await buildProgram(name);
    await program.parseAsync(argv);
    return typeof process.exitCode === "number" ? process.exitCode : 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : EXIT_WRONG_CALL;
    const error = BridgeError.from(thrown);
    process.stderr.write(`${paint("red", "error")}: ${error.message}\n`);
    return EXIT_FAILED;
  }
}
