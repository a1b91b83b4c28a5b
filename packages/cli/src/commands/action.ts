import type { BrowserResponse, Log } from "@debug-bridge/protocol";
import {
  closeBrowserSession,
  handleBrowserInstruction,
  StreamSplitter,
  terminalLine,
} from "@debug-bridge/runner";
import { Command } from "commander";
import { paint } from "../terminal.js";

interface ActionOptions {
  readonly session?: string;
  readonly home?: string;
  readonly project?: string;
  readonly tempProfile?: boolean;
  readonly headed?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  debug-bridge action '<type>diagnose</type><url>http://localhost:3000/</url>'
  debug-bridge action - < instructions.xml
  printf '%s' '<browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>
    <browser_action><type>click</type><targets>Sign in</targets><screenshots>after</screenshots></browser_action>
    <browser_action><type>stop</type></browser_action>' | debug-bridge action -

One instruction opens its url by itself. A stream keeps one browser until it ends.
The answer is one line of JSON for each instruction, logs go to stderr. All instructions: docs/browser-action.md`;

export function actionCommand(): Command {
  return new Command("action")
    .description("carry out browser_action instructions in a Chrome that is launched for them")
    .argument("<xml>", "one instruction, or - to read a stream of them from standard input")
    .option("--session <id>", "id of the session (default: one for this process)")
    .option(
      "--project <dir>",
      "the project that is debugged; its browser keeps its logins (default: this folder)",
    )
    .option("--temp-profile", "use a profile that is thrown away")
    .option("--headed", "show the browser's window")
    .option("--quiet", "no logs on stderr")
    .option("--home <dir>", "where state is kept")
    .addHelpText("after", EXAMPLES)
    .action(async (xml: string, options: ActionOptions) => {
      const succeeded = await runAll(xml, options);
      if (!succeeded) process.exitCode = 1;
    });
}

async function runAll(xml: string, options: ActionOptions): Promise<boolean> {
  const sessionId = options.session ?? `action-${process.pid}`;
  let succeeded = true;
  const answer = async (instruction: string): Promise<void> => {
    const response = await handleBrowserInstruction(instruction, {
      sessionId,
      home: options.home,
      project: options.project,
      config: { tempProfile: options.tempProfile ?? false, headless: options.headed !== true },
      ...(options.quiet ? {} : { onLog: tell }),
    });
    succeeded &&= response.success;
    await print(response);
  };
  const release = endOnSignals(sessionId);
  try {
    if (xml !== "-") await answer(xml);
    else for await (const instruction of instructionsOf(process.stdin)) await answer(instruction);
  } finally {
    await closeBrowserSession(sessionId);
    release();
  }
  return succeeded;
}

async function* instructionsOf(stream: NodeJS.ReadStream): AsyncGenerator<string> {
  const splitter = new StreamSplitter();
  stream.setEncoding("utf8");
  for await (const part of stream) yield* splitter.push(part as string);
  yield* splitter.end();
}

/** A reader that is slow is waited for; one that is gone ends it. */
function print(response: BrowserResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(response)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

function tell(log: Log): void {
  const { prefix, colour, text } = terminalLine(log);
  process.stderr.write(`${paint(colour, prefix, process.stderr)} ${text}\n`);
}

/** Chrome ends with this process; closing it first keeps its profile whole. */
function endOnSignals(sessionId: string): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const end = (): void => {
    void closeBrowserSession(sessionId).finally(() => process.exit(1));
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
