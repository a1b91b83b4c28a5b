import { rootOf } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import {
  type ChromeState,
  CLIENT_MODES,
  type ClientMode,
  DEFAULT_PORTS,
  type Hub,
  type NatsBusOptions,
} from "@debug-bridge/server";
import { Command, InvalidArgumentError, Option } from "commander";
import { hubAssets } from "../assets.js";
import { type FullHubOptions, startFullHub } from "../hub/full-hub.js";
import {
  collect,
  collectHost,
  collectLabel,
  collectOrigin,
  parseCount,
  withHome,
  withJson,
  withPorts,
} from "../options.js";
import { addDetails } from "../terminal/help.js";
import { logRefusal } from "../terminal/log-refusal.js";
import { printJson, printMessage, printText } from "../terminal/output.js";
import { paint } from "../terminal/style.js";
import { UsageError } from "../usage-error.js";
import { VERSION } from "../version.js";

interface UpOptions {
  readonly json?: boolean;
  readonly home?: string;
  readonly host: string;
  readonly port: number;
  readonly consolePort: number;
  readonly relayPort: number;
  readonly clientMode: ClientMode;
  readonly cdpLog?: string;
  readonly chrome?: string;
  readonly auth: "token" | "none";
  readonly allowOrigin: string[];
  readonly allowHost: string[];
  readonly agentDir: string[];
  readonly record?: boolean;
  readonly readOnly?: boolean;
  readonly allowExecute?: boolean;
  readonly allowFiles?: boolean;
  readonly browsers?: number;
  readonly browserAt: string[];
  readonly browserLabel: Record<string, string>;
  readonly bus?: string;
  readonly busName?: string;
  readonly busCreds?: string;
  readonly busNkey?: string;
  readonly busCa?: string;
  readonly busCert?: string;
  readonly busKey?: string;
  readonly busReplicas?: number;
  readonly demo?: boolean | string;
  readonly verbose?: boolean;
}

/** A hub that cannot close its connections in this time is ended with them. */
const CLOSE_TIMEOUT_MS = 5_000;

export function upCommand(): Command {
  const listening = withHome(withJson(new Command("up"))).option(
    "--host <host>",
    "address to listen on; all but loopback need the token",
    "127.0.0.1",
  );
  const command = withPorts(listening, DEFAULT_PORTS)
    .addOption(
      new Option("--client-mode <mode>", "how many CDP clients may use the relay at once")
        .choices(CLIENT_MODES)
        .default("multi-client"),
    )
    .option(
      "--chrome <where>",
      "connect to a browser without the extension: auto, or its debugging address",
      oneBrowser,
    )
    .option("--cdp-log <file>", "write the traffic of the relay to a file, as JSON lines")
    .addOption(new Option("--auth <mode>", "who needs the token").choices(["token", "none"]).default("token"))
    .option(
      "--allow-origin <origin>",
      "let pages of this origin connect as apps (repeatable)",
      collectOrigin,
      [],
    )
    .option("--allow-host <name>", "let clients reach the hub by this name (repeatable)", collectHost, [])
    .option("--agent-dir <dir>", "also follow the agents of this folder (repeatable)", collect, [])
    .option("--record", "append every event to the session's events.jsonl")
    .option("--read-only", "refuse all commands that act")
    .option("--allow-execute", "offer the tool execute over HTTP too")
    .option("--allow-files", "let launched browsers open files of this machine")
    .option("--browsers <count>", "maximum number of browsers to launch for clients", parseCount)
    .option("--browser-at <url>", "offer the browser at this CDP address (repeatable)", collectBrowser, [])
    .option(
      "--browser-label <name=value>",
      "a property that clients can ask for (repeatable)",
      collectLabel,
      {},
    )
    .addOption(
      new Option("--bus <url>", "share sessions with other hubs over NATS (nats://HOST:4222)").env(
        "DEBUG_BRIDGE_BUS",
      ),
    )
    .option("--bus-name <name>", "prefix of this hub's name on the bus (default: the machine's name)")
    .option("--bus-creds <file>", "a .creds file to sign in to NATS with")
    .option("--bus-nkey <file>", "a file with the seed of an nkey to sign in with")
    .option("--bus-ca <file>", "the certificate authority of the NATS server (PEM)")
    .option("--bus-cert <file>", "this hub's certificate for the NATS server (PEM)")
    .option("--bus-key <file>", "the key of that certificate (PEM)")
    .option("--bus-replicas <count>", "number of NATS servers that store each record", parseReplicas)
    .option("--demo [url]", "serve a small shop to try it on, or name the one at this address", parseAddress)
    .option("--verbose", "log what is refused, and connections that break, to stderr")
    .action(up);
  return addDetails(command, {
    notes: "With --json it prints one line when all ports are bound.",
    examples: [
      "debug-bridge up",
      "debug-bridge up --demo",
      "debug-bridge up --chrome auto",
      "debug-bridge up --port 0 --json",
    ],
  });
}

const BUS_OPTIONS = {
  busName: "--bus-name",
  busCreds: "--bus-creds",
  busNkey: "--bus-nkey",
  busCa: "--bus-ca",
  busCert: "--bus-cert",
  busKey: "--bus-key",
  busReplicas: "--bus-replicas",
} as const satisfies Partial<Record<keyof UpOptions, string>>;

/** An option that says more about another one has no effect without it. */
function assertUsed(options: UpOptions): void {
  for (const [name, flag] of Object.entries(BUS_OPTIONS))
    if (options.bus === undefined && options[name as keyof UpOptions] !== undefined)
      throw new UsageError(`${flag} needs --bus nats://HOST:4222`);
  const offers = (options.browsers ?? 0) + options.browserAt.length;
  if (offers === 0 && Object.keys(options.browserLabel).length > 0)
    throw new UsageError(
      "--browser-label describes browsers that are offered; add --browsers COUNT or --browser-at URL",
    );
}

/** What a hub says of its options before it starts is about how the command was used. */
function asUsageError(thrown: unknown): never {
  const error = BridgeError.from(thrown);
  throw error.code === "invalid_message" ? new UsageError(error.message) : thrown;
}

async function up(options: UpOptions): Promise<void> {
  assertUsed(options);
  const hub = await startFullHub({
    ...(options.home === undefined ? {} : { home: options.home }),
    host: options.host,
    port: options.port,
    consolePort: options.consolePort,
    relayPort: options.relayPort,
    clientMode: options.clientMode,
    ...(options.cdpLog === undefined ? {} : { cdpLog: options.cdpLog }),
    ...(options.chrome === undefined ? {} : { chrome: options.chrome, onChrome: chromeReporter() }),
    auth: options.auth,
    allowOrigins: options.allowOrigin,
    allowHosts: options.allowHost,
    agentDirs: options.agentDir.map(rootOf),
    record: options.record ?? false,
    readOnly: options.readOnly ?? false,
    allowExecute: options.allowExecute ?? false,
    allowFiles: options.allowFiles ?? false,
    ...offeredBy(options),
    ...(options.bus === undefined ? {} : { bus: busOf(options.bus, options) }),
    ...(options.verbose ? { onRefused: logRefusal } : {}),
    assets: hubAssets({ demo: options.demo === true }),
  }).catch(asUsageError);
  // A program that reads the ready line may end the hub at once, and its browsers must be closed even then.
  const stopped = untilStopped();
  if (options.json) await printJson(readyEvent(hub, options));
  else printText(welcome(hub, options));
  // A program that started this one need not read what it prints.
  process.send?.(readyEvent(hub, options));
  await stopped;
  setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
  await hub.close();
}

function offeredBy({ browsers = 0, browserAt, browserLabel }: UpOptions): Pick<FullHubOptions, "offered"> {
  if (browsers + browserAt.length === 0) return {};
  return { offered: { count: browsers, addresses: browserAt, labels: browserLabel } };
}

/** The browser of a person, whose tabs are sessions. */
function oneBrowser(value: string, earlier: string | undefined): string {
  if (earlier === undefined) return value;
  throw new InvalidArgumentError(
    "A hub connects to one browser of a person. To offer browsers of a pool to clients, use --browser-at, which can be repeated.",
  );
}

function collectBrowser(value: string, earlier: string[]): string[] {
  if (URL.canParse(value) && /^(https?|wss?):$/.test(new URL(value).protocol)) return collect(value, earlier);
  throw new InvalidArgumentError("It must be an address such as http://127.0.0.1:9222 or ws://HOST/PATH.");
}

function busOf(url: string, options: UpOptions): NatsBusOptions {
  return {
    url,
    name: options.busName,
    credsFile: options.busCreds,
    nkeyFile: options.busNkey,
    caFile: options.busCa,
    certFile: options.busCert,
    keyFile: options.busKey,
    replicas: options.busReplicas,
  };
}

function parseAddress(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError("It must be an address such as http://localhost:5173/, or nothing.");
}

/** NATS keeps an odd number of copies. */
function parseReplicas(text: string): number {
  if (text === "1" || text === "3" || text === "5") return Number(text);
  throw new InvalidArgumentError("It must be 1, 3 or 5.");
}

const HOW_TO_OFFER =
  "In Chrome, open chrome://inspect/#remote-debugging and allow it; or start the browser with --remote-debugging-port=9222 and a separate --user-data-dir.";

/** Says when the browser is found and when it is lost, once each. */
function chromeReporter(): (state: ChromeState) => void {
  let last = "";
  return (now) => {
    const text =
      now.state === "connected"
        ? `Connected to ${now.browser}.`
        : `Waiting for a browser: ${now.why}. ${now.isAsking ? "" : HOW_TO_OFFER}`;
    if (now.state !== last || now.state === "connected") printMessage(text.trim());
    last = now.state === "waiting" && now.isAsking ? "asking" : now.state;
  };
}

function readyEvent(hub: Hub, options: UpOptions): object {
  return {
    event: "ready",
    hub: hub.url,
    console: hub.consoleUrl,
    relay: hub.relayUrl,
    tokenFile: hub.tokenFile,
    ...(hub.name === undefined ? {} : { name: hub.name }),
    ...(options.demo ? { demo: demoAddress(hub, options.demo) } : {}),
  };
}

const demoAddress = (hub: Hub, demo: string | true): string => (demo === true ? `${hub.url}/demo/` : demo);

function welcome(hub: Hub, options: UpOptions): string {
  // The token is shown on a terminal only, and never goes into a file that output is redirected to.
  const token = `#token=${process.stdout.isTTY ? hub.token : "…"}`;
  const dashboard = options.auth === "none" ? hub.url : `${hub.url}/${token}`;
  const line = (name: string, value: string): string => `  ${paint("dim", name.padEnd(11))}${value}\n`;
  return [
    `${paint("bold", "Debug Bridge")} ${VERSION}\n`,
    line("dashboard", paint("cyan", dashboard)),
    // Chats need the token even without authentication: a run has the rights of the person.
    line("chat", paint("cyan", `${hub.url}/chat${token}`)),
    options.demo ? line("demo", paint("cyan", demoAddress(hub, options.demo))) : "",
    line("apps", `<script src="${hub.url}/sdk.js"></script>`),
    line("agents", `${hub.url.replace("http", "ws")}/debug?role=agent&sessionId=…`),
    line("console", hub.consoleUrl),
    line("relay", hub.relayUrl),
    line("token", hub.tokenFile),
    hub.name === undefined ? "" : line("bus", `${hub.name}, with the hubs that it finds there`),
    paint("dim", "Press Ctrl+C to stop.\n"),
  ].join("");
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
    // A program that waited for it to be ready has ended, however that came.
    process.once("disconnect", () => resolve());
    process.channel?.unref();
  });
}
