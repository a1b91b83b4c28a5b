import { rootOf } from "@debug-bridge/journal";
import type { BridgeError } from "@debug-bridge/protocol";
import { CLIENT_MODES, type ClientMode, DEFAULT_PORTS, type Hub } from "@debug-bridge/server";
import { Command, Option } from "commander";
import { hubAssets } from "../assets.js";
import { startFullHub } from "../hub-services.js";
import { collect, collectOrigin, parsePort } from "../options.js";
import { paint } from "../terminal.js";
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
  readonly demo?: boolean;
  readonly verbose?: boolean;
}

/** A hub that cannot end its connections in this time is ended with them. */
const CLOSE_WITHIN_MS = 5_000;

export function upCommand(): Command {
  return new Command("up")
    .description("start the hub and keep it running")
    .option("--json", "print one JSON line once everything is bound")
    .option("--home <dir>", "where state is kept (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)")
    .option(
      "--host <host>",
      "address to listen on; anything but loopback needs the token for every role",
      "127.0.0.1",
    )
    .option("--port <port>", "port of the hub; 0 takes a free one", parsePort, DEFAULT_PORTS.hub)
    .option("--console-port <port>", "port of the console wire", parsePort, DEFAULT_PORTS.console)
    .option("--relay-port <port>", "port of the relay", parsePort, DEFAULT_PORTS.relay)
    .addOption(
      new Option("--client-mode <mode>", "how many CDP clients the relay takes at once")
        .choices(CLIENT_MODES)
        .default("multi-client"),
    )
    .option("--cdp-log <file>", "write the relay's traffic to this file, as JSON lines")
    .addOption(new Option("--auth <mode>", "who needs the token").choices(["token", "none"]).default("token"))
    .option(
      "--allow-origin <origin>",
      "let pages of this origin connect as apps (may be repeated)",
      collectOrigin,
      [],
    )
    .option("--dir <dir>", "also follow the agents of this root (may be repeated)", collect, [])
    .option("--record", "append every event to the session's events.jsonl")
    .option("--read-only", "refuse all commands that act")
    .option("--demo", "serve a small shop to try it on")
    .option("--verbose", "log to stderr what is refused, and why")
    .action(up);
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
    ...(options.verbose ? { onRefused: logRefusal } : {}),
    assets: hubAssets({ demo: options.demo ?? false }),
  });
  process.stdout.write(options.json ? readyLine(hub, options) : welcome(hub, options));
  await untilStopped();
  setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
  await hub.close();
}

function logRefusal(what: string, error: BridgeError): void {
  process.stderr.write(
    `${paint("yellow", "refused", process.stderr)} ${what}: ${error.code}: ${error.message}\n`,
  );
}

function readyLine(hub: Hub, options: UpOptions): string {
  const ready = {
    event: "ready",
    hub: hub.url,
    console: hub.consoleUrl,
    relay: hub.relayUrl,
    tokenFile: hub.tokenFile,
    ...(options.demo ? { demo: `${hub.url}/demo/` } : {}),
  };
  return `${JSON.stringify(ready)}\n`;
}

function welcome(hub: Hub, options: UpOptions): string {
  // The token goes to a terminal, where only its owner looks, and never into a file that output is sent to.
  const page =
    options.auth === "none"
      ? hub.url
      : process.stdout.isTTY
        ? `${hub.url}/#token=${hub.token}`
        : `${hub.url}/#token=…`;
  const line = (name: string, value: string): string => `  ${paint("dim", name.padEnd(9))}${value}\n`;
  return [
    `${paint("bold", "Debug Bridge")} ${VERSION}\n`,
    line("page", paint("cyan", page)),
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
