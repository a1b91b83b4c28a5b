import { basename } from "node:path";
import { readScript, ScriptedModel, startReferenceAgent } from "@debug-bridge/agent";
import { stripControlCharacters } from "@debug-bridge/protocol";
import { Command } from "commander";
import { rootFor } from "../agent/choose-session.js";
import { paint } from "../terminal.js";

interface RunOptions {
  readonly script: string;
  readonly dir?: string;
  readonly name?: string;
  readonly pause?: boolean;
  readonly json?: boolean;
}

export function runCommand(): Command {
  return new Command("run")
    .description("carry out a task with the reference agent, which is debugged like any other")
    .argument("<task>", "what to do")
    .requiredOption("--script <file>", "what its model says: a JSON array of turns")
    .option("--pause", "stop before the first call of the model")
    .option("--name <name>", "a name for the session")
    .option("--dir <dir>", "where the session is kept (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)")
    .option("--json", "one JSON line for each turn")
    .addHelpText(
      "after",
      `
A turn is {"text": "…"} or {"tool": "…", "input": {…}}, with "delayMs" if the model takes its time. The tools are
read_file and list_files {path}, write_file {path, content} and run_command {command}, in this folder.

Examples:
  echo '[{"tool": "list_files"}, {"text": "done"}]' > turns.json
  debug-bridge run --script turns.json "look around"
  debug-bridge run --script turns.json --pause "look around"     then: debug-bridge step`,
    )
    .action(run);
}

async function run(task: string, options: RunOptions): Promise<void> {
  const { json } = options;
  const model = new ScriptedModel(basename(options.script), readScript(options.script));
  const say = (event: object, text: string): void => {
    process.stdout.write(json ? `${JSON.stringify(event)}\n` : text);
  };
  const { debug, done } = startReferenceAgent({
    task,
    model,
    cwd: process.cwd(),
    home: rootFor(options.dir),
    ...(options.name === undefined ? {} : { name: options.name }),
    paused: options.pause ?? false,
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
  else process.stderr.write(`${paint("dim", `session ${debug.sessionId}`, process.stderr)}\n`);
  const { text, iterations } = await done;
  if (json) say({ event: "done", text, iterations }, "");
}
