import { rootOf } from "@debug-bridge/journal";
import type { BridgeError } from "@debug-bridge/protocol";
import { CLIENT_MODES, type ClientMode, DEFAULT_PORTS, type Hub } from "@debug-bridge/server";
import { Command, Option } from "commander";
import { hubAssets } from "../assets.js";
import { startFullHub } from "../hub-services.js";
import { collect, collectOrigin, parsePort, withHome, withJson } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printJson, printMessage, printText } from "../terminal/output.js";
import { paint } from "../terminal/style.js";
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
  readonly auth: "token" | "none";
  readonly allowOrigin: string[];
  readonly dir: string[];
  readonly record?: boolean;
  readonly readOnly?: boolean;
  readonly allowExecute?: boolean;
  readonly allowFiles?: boolean;
  readonly demo?: boolean;
  readonly verbose?: boolean;
}

/** A hub that cannot close its connections in this time is ended with them. */
const CLOSE_TIMEOUT_MS = 5_000;

export function upCommand(): Command {
  const command = withHome(withJson(new Command("up")))
    .description("start the hub and keep it running")
    .option("--host <host>", "address to listen on; others than loopback need the token", "127.0.0.1")
    .option("--port <port>", "port of the hub (0: any free port)", parsePort, DEFAULT_PORTS.hub)
    .option("--console-port <port>", "port of the console wire", parsePort, DEFAULT_PORTS.console)
    .option("--relay-port <port>", "port of the relay", parsePort, DEFAULT_PORTS.relay)
    .addOption(
      new Option("--client-mode <mode>", "how many CDP clients may use the relay at once")
        .choices(CLIENT_MODES)
        .default("multi-client"),
    )
    .option("--cdp-log <file>", "write the traffic of the relay to a file, as JSON lines")
    .addOption(new Option("--auth <mode>", "who needs the token").choices(["token", "none"]).default("token"))
    .option(
      "--allow-origin <origin>",
      "let pages of this origin connect as apps (repeatable)",
      collectOrigin,
      [],
    )
    .option("--dir <dir>", "also follow the agents of this folder (repeatable)", collect, [])
    .option("--record", "append every event to the session's events.jsonl")
    .option("--read-only", "refuse all commands that act")
    .option("--allow-execute", "offer the tool execute at /mcp too")
    .option("--allow-files", "let launched browsers open files of this machine")
    .option("--demo", "serve a small shop to try it on")
    .option("--verbose", "log refused requests to stderr")
    .action(up);
  return addDetails(command, {
    notes: "With --json it prints one line when all ports are bound.",
    examples: ["debug-bridge up", "debug-bridge up --demo", "debug-bridge up --port 0 --json"],
  });
}

async function up(options: UpOptions): Promise<void> {
  const hub = await startFullHub({
    ...(options.home === undefined ? {} : { home: options.home }),
    host: options.host,
    port: options.port,
    consolePort: options.consolePort,
    relayPort: options.relayPort,
    clientMode: options.clientMode,
    ...(options.cdpLog === undefined ? {} : { cdpLog: options.cdpLog }),
    auth: options.auth,
    allowOrigins: options.allowOrigin,
    agentDirs: options.dir.map(rootOf),
    record: options.record ?? false,
    readOnly: options.readOnly ?? false,
    allowExecute: options.allowExecute ?? false,
    allowFiles: options.allowFiles ?? false,
    ...(options.verbose ? { onRefused: logRefusal } : {}),
    assets: hubAssets({ demo: options.demo ?? false }),
  });
  if (options.json) await printJson(readyEvent(hub, options));
  else printText(welcome(hub, options));
  await untilStopped();
  setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
  await hub.close();
}

function logRefusal(what: string, error: BridgeError): void {
  printMessage(`${paint("yellow", "refused")} ${what}: ${error.code}: ${error.message}`);
}

function readyEvent(hub: Hub, options: UpOptions): object {
  return {
    event: "ready",
    hub: hub.url,
    console: hub.consoleUrl,
    relay: hub.relayUrl,
    tokenFile: hub.tokenFile,
    ...(options.demo ? { demo: `${hub.url}/demo/` } : {}),
  };
}

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
    options.demo ? line("demo", paint("cyan", `${hub.url}/demo/`)) : "",
    line("apps", `<script src="${hub.url}/sdk.js"></script>`),
    line("agents", `${hub.url.replace("http", "ws")}/debug?role=agent&sessionId=…`),
    line("console", hub.consoleUrl),
    line("relay", hub.relayUrl),
    line("token", hub.tokenFile),
    paint("dim", "Press Ctrl+C to stop.\n"),
  ].join("");
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  });
}
