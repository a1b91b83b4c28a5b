import { readFileSync } from "node:fs";
import { ReplayDifference } from "@debug-bridge/agent";
import { FIELD_LIMITS, truncate } from "@debug-bridge/protocol";
import { Command } from "commander";
import { bridgeTools } from "../../agent/run/bridge-tools.js";
import { readImage } from "../../agent/run/read-image.js";
import { type RunChoice, startRun } from "../../agent/run/start-run.js";
import { rootFor } from "../../agent/session/choose-session.js";
import { chatRunOption, collect, parseHttpUrl, withCommon, withDir, withPage } from "../../options.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine, printMessage } from "../../terminal/output.js";
import { paint } from "../../terminal/style.js";

interface RunOptions extends RunChoice {
  readonly hub?: string;
  readonly page?: string;
  readonly chatRun?: string;
  readonly image: readonly string[];
  readonly name?: string;
  readonly pause?: boolean;
  readonly json?: boolean;
}

const MAX_SHOWN = 500;

const NOTES = `The model is the first whose key is set: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, DEEPSEEK_API_KEY. A local model needs none; if it needs one, set DEBUG_BRIDGE_MODEL_KEY.

Tools: read_file and list_files {path}, write_file {path, content} and run_command {command} in this folder; sessions, observe, find, act, logs and eval for the apps on a running hub.

A turn of a script is {"text": "…"} or {"tool": "…", "input": {…}}; "delayMs" makes the model slow.`;

export function runCommand(): Command {
  const command = withDir(withPage(withCommon(new Command("run"))))
    .description("run a task with the reference agent")
    .argument("[task]", "the task; - reads it from stdin")
    .option("--model <provider/name>", "anthropic/…, openai/…, google/… or deepseek/…")
    .option("--base-url <url>", "address of the API, or of an OpenAI-compatible one", parseHttpUrl)
    .option("--script <file>", "answers of the model: a JSON array of turns; needs no key")
    .option("--replay <session>", "rerun a recorded session with its recorded answers")
    .addOption(chatRunOption())
    .option("--image <file>", "a PNG, JPEG or WebP for the model (repeatable)", collect, [])
    .option("--pause", "pause before the first model call")
    .option("--name <name>", "a name for the session");
  command.action((task: string | undefined, options: RunOptions) => {
    if (task === undefined && options.replay === undefined)
      command.error('error: missing task; usage: debug-bridge agent run "TASK"');
    if (options.script !== undefined && options.replay !== undefined)
      command.error("error: --script and --replay both replace the model; use one of them");
    return run(task, options);
  });
  return addDetails(command, {
    notes: NOTES,
    examples: [
      'debug-bridge agent run "find out why the checkout fails"',
      'debug-bridge agent run --model openai/gpt-5 "look around"',
      'debug-bridge agent run --script turns.json --pause "look around"',
      "debug-bridge agent run --replay ab12",
    ],
  });
}

async function run(given: string | undefined, options: RunOptions): Promise<void> {
  const { json } = options;
  const task = given === "-" ? readFileSync(0, "utf8") : given;
  const report = (event: object, text: string): void => {
    if (json) void printJson(event);
    else printLine(text);
  };
  const home = rootFor(options);
  const bridge = bridgeTools({
    home,
    ...(options.hub === undefined ? {} : { hub: options.hub }),
    ...(options.page === undefined ? {} : { session: options.page }),
    ...(options.chatRun === undefined ? {} : { chatRun: options.chatRun }),
  });
  const { debug, done, compared } = await startRun(task, options, {
    cwd: process.cwd(),
    home,
    ...(options.name === undefined ? {} : { name: options.name }),
    paused: options.pause ?? false,
    images: options.image.map(readImage),
    bridge,
    onTurn: (turn) => {
      if ("text" in turn) report({ event: "text", ...turn }, turn.text);
      else if (turn.ended) {
        const { ended, ...call } = turn;
        const mark = ended.isError ? paint("red", "✗") : paint("green", "✓");
        const result = truncate(ended.result, FIELD_LIMITS.text);
        report({ event: "tool", ...call, ...ended, result }, `${mark} ${turn.tool}`);
      } else if (json) void printJson({ event: "tool_start", ...turn });
    },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      debug.close(signal);
      process.exit(1);
    });
  }
  if (json) await printJson({ event: "session", id: debug.sessionId, folder: debug.folder });
  else if (debug.sessionId !== undefined) printMessage(paint("dim", `session ${debug.sessionId}`));
  try {
    const { text, iterations } = await done;
    if (json)
      await printJson({ event: "done", text, iterations, ...(compared ? { compared: compared() } : {}) });
    else if (compared) printMessage(compared());
  } catch (thrown) {
    if (!(thrown instanceof ReplayDifference)) throw thrown;
    await reportDifference(thrown, json ?? false);
  } finally {
    await bridge.close();
  }
}

async function reportDifference(difference: ReplayDifference, json: boolean): Promise<void> {
  const { sequence, recorded, actual, message } = difference;
  process.exitCode = 1;
  if (json) await printJson({ event: "difference", sequence, message, recorded, actual });
  printMessage(message);
  if (json) return;
  printLine(paint("red", `- ${shown(recorded)}`));
  printLine(paint("green", `+ ${shown(actual)}`));
}

const shown = (value: unknown): string =>
  value === undefined ? "nothing" : truncate(JSON.stringify(value), MAX_SHOWN);
