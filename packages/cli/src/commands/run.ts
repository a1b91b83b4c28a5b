import { ReplayDifference } from "@debug-bridge/agent";
import { stripControlCharacters, truncate } from "@debug-bridge/protocol";
import { Command } from "commander";
import { bridgeTools } from "../agent/bridge-tools.js";
import { rootFor } from "../agent/choose-session.js";
import { type RunChoice, startRun } from "../agent/start-run.js";
import { paint } from "../terminal.js";

interface RunOptions extends RunChoice {
  readonly hub?: string;
  readonly name?: string;
  readonly pause?: boolean;
  readonly json?: boolean;
}

const SHOWN = 500;

export function runCommand(): Command {
  return new Command("run")
    .description("carry out a task with the reference agent, which is debugged like any other")
    .argument("[task]", "what to do")
    .option(
      "--model <provider/name>",
      "anthropic/…, openai/…, google/… or deepseek/… (default: whose key is set)",
    )
    .option(
      "--base-url <url>",
      "address of its API; of any that speaks as OpenAI does, when no provider is named",
    )
    .option("--script <file>", "what its model says: a JSON array of turns; needs no key")
    .option(
      "--replay <session>",
      "run a recorded session again, with its own answers in place of model and tools",
    )
    .option("--pause", "stop before the first call of the model")
    .option("--name <name>", "a name for the session")
    .option(
      "--hub <url>",
      "the hub whose apps it can use (default: $DEBUG_BRIDGE_HUB, else the one of this home)",
    )
    .option("--dir <dir>", "where the session is kept (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)")
    .option("--json", "one JSON line for each turn")
    .addHelpText(
      "after",
      `
The model is the first whose key is set: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY,
DEEPSEEK_API_KEY. A local model needs none; what it may need is taken from DEBUG_BRIDGE_MODEL_KEY.

Its tools are read_file and list_files {path}, write_file {path, content} and run_command {command}, in this folder;
and sessions, observe, act, logs and eval, for the apps on a running hub.

A turn of a script is {"text": "…"} or {"tool": "…", "input": {…}}, with "delayMs" if the model takes its time.

Examples:
  debug-bridge run "find out why the checkout fails"
  debug-bridge run --model openai/gpt-5 "look around"
  debug-bridge run --base-url http://127.0.0.1:11434/v1 --model qwen3 "look around"
  echo '[{"tool": "list_files"}, {"text": "done"}]' > turns.json
  debug-bridge run --script turns.json --pause "look around"     then: debug-bridge step
  debug-bridge run --replay ab12                                  the same run again, without a token`,
    )
    .action((task: string | undefined, options: RunOptions, command: Command) => {
      if (task === undefined && options.replay === undefined)
        command.error('error: what is to be done? debug-bridge run "TASK"');
      if (options.script !== undefined && options.replay !== undefined)
        command.error("error: --script and --replay both answer for the model; give one of them");
      return run(task, options);
    });
}

async function run(task: string | undefined, options: RunOptions): Promise<void> {
  const { json } = options;
  const say = (event: object, text: string): void => {
    process.stdout.write(json ? `${JSON.stringify(event)}\n` : text);
  };
  const home = rootFor(options.dir);
  const bridge = bridgeTools({ home, ...(options.hub === undefined ? {} : { hub: options.hub }) });
  const { debug, done } = await startRun(task, options, {
    cwd: process.cwd(),
    home,
    ...(options.name === undefined ? {} : { name: options.name }),
    paused: options.pause ?? false,
    bridge,
    onTurn: (turn) => {
      if ("text" in turn) say({ event: "text", ...turn }, `${stripControlCharacters(turn.text)}\n`);
      else
        say(
          { event: "tool", ...turn },
          `${paint(turn.isError ? "red" : "green", turn.isError ? "✗" : "✓")} ${turn.tool}\n`,
        );
    },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      debug.close(signal);
      process.exit(1);
    });
  }
  if (json) say({ event: "session", id: debug.sessionId, folder: debug.folder }, "");
  else if (debug.sessionId !== undefined)
    process.stderr.write(`${paint("dim", `session ${debug.sessionId}`, process.stderr)}\n`);
  try {
    const { text, iterations } = await done;
    if (json) say({ event: "done", text, iterations }, "");
    else if (options.replay !== undefined) process.stderr.write("the same as recorded\n");
  } catch (thrown) {
    if (!(thrown instanceof ReplayDifference)) throw thrown;
    const { sequence, recorded, actual, message } = thrown;
    process.exitCode = 1;
    if (json) say({ event: "difference", sequence, message, recorded, actual }, "");
    process.stderr.write(`${message}\n`);
    if (!json) say({}, `${paint("red", `- ${shown(recorded)}`)}\n${paint("green", `+ ${shown(actual)}`)}\n`);
  } finally {
    await bridge.close();
  }
}

const shown = (value: unknown): string =>
  value === undefined ? "nothing" : truncate(stripControlCharacters(JSON.stringify(value)), SHOWN);
