import { findHub, HubClient, homeFolder, requestedHub, requireHub, tokenOf } from "@debug-bridge/client";
import { BridgeError, type BrowserResponse, type Log } from "@debug-bridge/protocol";
import { StreamSplitter, terminalLine } from "@debug-bridge/runner/reading";
import { Command } from "commander";
import { openOwnBrowser } from "../hub/own-browser.js";
import { type CommonOptions, withCommon } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printJson, printMessage, printText } from "../terminal/output.js";
import { paint } from "../terminal/style.js";
import { UsageError } from "../usage-error.js";

interface BrowserOptions extends CommonOptions {
  readonly session?: string;
  readonly own?: boolean;
  readonly project?: string;
  readonly tempProfile?: boolean;
  readonly headed?: boolean;
  readonly allowFiles?: boolean;
  readonly quiet?: boolean;
}

/** A browser that runs instructions. */
interface Browser {
  handle(instruction: string): Promise<BrowserResponse>;
  close(): Promise<void>;
}

const HUB_SESSION = "browser";
/** A few screens. */
const TERMINAL_TOKENS = 4_000;

export function browserCommand(): Command {
  const command = withCommon(new Command("browser"))
    .usage("[options] -|XML")
    .argument("<xml>", "one instruction, or - to read a stream of them from stdin")
    .option("-s, --session <id>", "the session to use")
    .option("--own", "launch a browser for this command, even if a hub runs")
    .option("--project <dir>", "project whose profile that browser uses (default: this folder)")
    .option("--temp-profile", "use a temporary profile")
    .option("--headed", "show the browser window")
    .option("--allow-files", "let launched browsers open files of this machine")
    .option("--quiet", "print no logs to stderr")
    .action(async (xml: string, options: BrowserOptions) => {
      const succeeded = await runAll(xml, options);
      if (!succeeded) process.exitCode = 1;
    });
  return addDetails(command, {
    notes:
      "If a hub runs, its browser is used and stays open between calls until stop. Without a hub, or with --own, --headed, --temp-profile, --allow-files or --project, a browser is launched that ends with the command. An instruction with a url needs no start before it. On a terminal the answer is text; with --json, or into a pipe or a file, it is one line of JSON per instruction. Logs go to stderr. All instructions: https://github.com/debug-bridge/debug-bridge/blob/main/docs/browser-action.md",
    examples: [
      "debug-bridge browser '<type>diagnose</type><url>http://localhost:3000/</url>'",
      "debug-bridge browser - < instructions.xml",
    ],
  });
}

async function runAll(xml: string, options: BrowserOptions): Promise<boolean> {
  const browser = (await hubBrowser(options)) ?? (await ownBrowser(options));
  const release = endOnSignals(browser);
  let succeeded = true;
  try {
    const instructions = xml === "-" ? instructionsOf(process.stdin) : [xml];
    for await (const instruction of instructions) {
      const response = await browser.handle(instruction);
      succeeded &&= response.success;
      await print(response, options);
    }
  } finally {
    await browser.close();
    release();
  }
  return succeeded;
}

/** For a person on a terminal as text; for programs as one line of JSON. */
async function print(response: BrowserResponse, { json }: BrowserOptions): Promise<void> {
  if (json || !process.stdout.isTTY) return printJson(response);
  const { browserReport } = await import("@debug-bridge/mcp");
  // The logs are on the terminal already.
  printText(`${browserReport({ ...response, logs: [] }, TERMINAL_TOKENS)}\n`);
}

/** The browser of the hub of this home, unless no hub runs or an option asks for another browser. */
async function hubBrowser(options: BrowserOptions): Promise<Browser | undefined> {
  const { own, tempProfile, headed, allowFiles, project } = options;
  const isOwn = own || tempProfile || headed || allowFiles || project !== undefined;
  if (isOwn && options.hub !== undefined)
    throw new UsageError(
      "--own, --headed, --temp-profile, --allow-files and --project launch a browser for this command; leave out --hub",
    );
  if (isOwn) return undefined;
  const isRequested = requestedHub(options) !== undefined;
  if (!isRequested && tokenOf(homeFolder(options.home)) === undefined) return undefined;
  const found = isRequested ? await requireHub(options).catch(() => undefined) : await findHub(options);
  if (!found && !isRequested) return undefined;
  const hub = new HubClient({ hub: () => requireHub(options), name: "cli" });
  const sessionId = options.session ?? HUB_SESSION;
  return {
    async handle(instruction) {
      const response = await hub
        .post("/v1/browser-action", { instruction, sessionId })
        .then((answer) => answer as BrowserResponse)
        .catch((thrown: unknown) => notAnswered(thrown, sessionId));
      if (!options.quiet) response.logs.forEach(printLog);
      return response;
    },
    close: async () => {},
  };
}

/** Each instruction gets a response, including when the hub refuses it or is lost meanwhile. */
function notAnswered(thrown: unknown, sessionId: string): BrowserResponse {
  const error = BridgeError.from(thrown);
  const { code, message } = error;
  const hint =
    "If the hub was lost meanwhile, the action may or may not have run: look at the page before you repeat it";
  const log = { type: "error", source: "tool", category: "automation", message, severity: 4 } as const;
  return {
    success: false,
    error: {
      ...error.toBody(),
      ...(code === "app_not_connected" || code === "outcome_unknown" ? { hint } : {}),
    },
    logs: [{ ...log, timestamp: Date.now() }],
    networkEvents: [],
    sessionId,
    finishedAt: new Date().toISOString(),
  };
}

function ownBrowser(options: BrowserOptions): Promise<Browser> {
  return openOwnBrowser({
    sessionId: options.session ?? `browser-${process.pid}`,
    home: options.home,
    project: options.project,
    allowFiles: options.allowFiles,
    config: { tempProfile: options.tempProfile ?? false, headless: options.headed !== true },
    ...(options.quiet ? {} : { onLog: printLog }),
  });
}

async function* instructionsOf(stream: NodeJS.ReadStream): AsyncGenerator<string> {
  const splitter = new StreamSplitter();
  stream.setEncoding("utf8");
  for await (const part of stream) yield* splitter.push(part as string);
  yield* splitter.end();
}

function printLog(log: Log): void {
  const { prefix, colour, text } = terminalLine(log);
  printMessage(`${paint(colour, prefix)} ${text}`);
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
