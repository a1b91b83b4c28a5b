import { join } from "node:path";
import { BridgeError, type BrowserResponse, type Log } from "@debug-bridge/protocol";
import { StreamSplitter, terminalLine } from "@debug-bridge/runner/reading";
import { homeFolder, readToken } from "@debug-bridge/server";
import { Command } from "commander";
import { openOwnBrowser } from "../hub-services.js";
import { runningHub } from "../running-hub.js";
import { paint } from "../terminal.js";

interface ActionOptions {
  readonly session?: string;
  readonly hub?: string;
  readonly home?: string;
  readonly own?: boolean;
  readonly project?: string;
  readonly tempProfile?: boolean;
  readonly headed?: boolean;
  readonly quiet?: boolean;
}

/** Where instructions are carried out. */
interface Browser {
  handle(instruction: string): Promise<BrowserResponse>;
  close(): Promise<void>;
}

const HUB_SESSION = "action";

const EXAMPLES = `
Examples:
  debug-bridge action '<type>diagnose</type><url>http://localhost:3000/</url>'
  debug-bridge action - < instructions.xml
  printf '%s' '<browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>
    <browser_action><type>click</type><targets>Sign in</targets><screenshots>after</screenshots></browser_action>
    <browser_action><type>stop</type></browser_action>' | debug-bridge action -

Where a hub runs (debug-bridge up), its browser is used, and stays from one call to the next until stop. Else, or with
--own, one is launched that ends with the command. An instruction with a url needs no start before it.
The answer is one line of JSON for each instruction; logs go to stderr. All instructions: docs/browser-action.md`;

export function actionCommand(): Command {
  return new Command("action")
    .alias("browser")
    .description("carry out browser_action instructions in a Chrome that is launched for them")
    .argument("<xml>", "one instruction, or - to read a stream of them from standard input")
    .option("--session <id>", "id of the session")
    .option("--hub <url>", "address of the hub (default: $DEBUG_BRIDGE_HUB or http://127.0.0.1:4000)")
    .option("--own", "use a browser of this command's own, though a hub runs")
    .option("--project <dir>", "the project whose profile the own browser has (default: this folder)")
    .option("--temp-profile", "give the own browser a profile that is thrown away")
    .option("--headed", "show the own browser's window")
    .option("--quiet", "no logs on stderr")
    .option("--home <dir>", "where state is kept")
    .addHelpText("after", EXAMPLES)
    .action(async (xml: string, options: ActionOptions) => {
      const succeeded = await runAll(xml, options);
      if (!succeeded) process.exitCode = 1;
    });
}

async function runAll(xml: string, options: ActionOptions): Promise<boolean> {
  const browser = (await hubBrowser(options)) ?? (await ownBrowser(options));
  const release = endOnSignals(browser);
  let succeeded = true;
  try {
    const instructions = xml === "-" ? instructionsOf(process.stdin) : [xml];
    for await (const instruction of instructions) {
      const response = await browser.handle(instruction);
      succeeded &&= response.success;
      await print(response);
    }
  } finally {
    await browser.close();
    release();
  }
  return succeeded;
}

/** The browser of the hub of this home, where one runs and nothing asks for another. */
async function hubBrowser(options: ActionOptions): Promise<Browser | undefined> {
  if (options.own || options.tempProfile || options.headed || options.project !== undefined) return undefined;
  const isAsked = options.hub !== undefined || process.env.DEBUG_BRIDGE_HUB !== undefined;
  if (!isAsked && readToken(join(homeFolder(options.home), "token")) === undefined) return undefined;
  const hub = runningHub(options);
  if (!isAsked && !(await hub.isThere())) return undefined;
  const sessionId = options.session ?? HUB_SESSION;
  return {
    async handle(instruction) {
      const response = await hub
        .post("/v1/browser-action", { instruction, sessionId })
        .then((answer) => answer as BrowserResponse)
        .catch((thrown: unknown) => notAnswered(thrown, sessionId));
      if (!options.quiet) response.logs.forEach(tell);
      return response;
    },
    close: async () => {},
  };
}

/** Each instruction has its line, also where the hub refuses it or went away meanwhile. */
function notAnswered(thrown: unknown, sessionId: string): BrowserResponse {
  const error = BridgeError.from(thrown);
  const { code, message } = error;
  const hint =
    "If the hub went away meanwhile, it is not known whether the action was done: look before you repeat it";
  const log = { type: "error", source: "tool", category: "automation", message, severity: 4 } as const;
  return {
    success: false,
    error: { ...error.toBody(), ...(code === "app_not_connected" ? { hint } : {}) },
    logs: [{ ...log, timestamp: Date.now() }],
    networkEvents: [],
    sessionId,
    finishedAt: new Date().toISOString(),
  };
}

function ownBrowser(options: ActionOptions): Promise<Browser> {
  return openOwnBrowser({
    sessionId: options.session ?? `action-${process.pid}`,
    home: options.home,
    project: options.project,
    config: { tempProfile: options.tempProfile ?? false, headless: options.headed !== true },
    ...(options.quiet ? {} : { onLog: tell }),
  });
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
function endOnSignals(browser: Browser): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const end = (): void => {
    void browser.close().finally(() => process.exit(1));
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
