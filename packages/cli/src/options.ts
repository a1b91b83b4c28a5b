import { clientOfRun, runOfClient } from "@debug-bridge/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "./usage-error.js";

/** Options that mean the same in every command. */
export interface CommonOptions {
  readonly home?: string;
  readonly hub?: string;
  readonly json?: boolean;
}

export function withHome(command: Command): Command {
  return command.option("--home <dir>", "state folder (default: $DEBUG_BRIDGE_HOME or ~/.debug-bridge)");
}

export function withHub(command: Command): Command {
  return command.option(
    "--hub <url>",
    "address of the hub, or several with commas (default: $DEBUG_BRIDGE_HUB or the home's)",
    (text) => {
      for (const url of text.split(",")) parseHttpUrl(url.trim());
      return text;
    },
  );
}

/** An address that requests can be sent to. */
export function parseHttpUrl(text: string): string {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: "" };
  if (protocol === "http:" || protocol === "https:") return text;
  throw new InvalidArgumentError("It must be an address like http://127.0.0.1:4000.");
}

/** The folder of sessions that are not in the home. */
export function withDir(command: Command): Command {
  return command.option("--dir <dir>", "folder of the sessions, if not in the home");
}

/** The session that tools use when they are given none. */
export function withPage(command: Command): Command {
  return command.option("--page <session>", "default app or tab for tools");
}

interface Ports {
  readonly hub: number;
  readonly console: number;
  readonly relay: number;
}

/** The ports of a hub that the command starts. Without defaults it may also use one that runs already. */
export function withPorts(command: Command, defaults?: Ports): Command {
  return command
    .option("--port <port>", "start a hub on this port (0: any free port)", parsePort, defaults?.hub)
    .option("--console-port <port>", "port of the hub's console wire", parsePort, defaults?.console)
    .option("--relay-port <port>", "port of the hub's relay", parsePort, defaults?.relay);
}

export function withJson(command: Command): Command {
  return command.option("--json", "print JSON");
}

export function withCommon(command: Command): Command {
  return withJson(withHub(withHome(command)));
}

/** For the programs of a chat's run: the hub asks the person before such a client acts on a site. */
export function chatRunOption(): Option {
  return new Option("--chat-run <id>", "the run of a chat for which it works")
    .hideHelp()
    .argParser((text) => {
      if (runOfClient(clientOfRun("", text)) === text) return text;
      throw new InvalidArgumentError("It must be the id of a run.");
    });
}

/** A port; 0 means any free one. */
function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535; 0 uses a free one.");
}

/** The other ports are those of a hub that `--port` starts; one that runs already has its own. */
export function assertOwnPorts(options: {
  readonly port?: number;
  readonly consolePort?: number;
  readonly relayPort?: number;
}): void {
  if (options.port === undefined && (options.consolePort ?? options.relayPort) !== undefined)
    throw new UsageError(
      "--console-port and --relay-port belong to a hub that --port starts; add --port (0: any free port)",
    );
}

/** Collects an option that may be repeated. */
export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

/** An origin such as `https://dev.example.com`. */
export function collectOrigin(value: string, earlier: string[]): string[] {
  const origin = URL.canParse(value) ? new URL(value).origin : "null";
  if (origin === "null") throw new InvalidArgumentError('An origin looks like "https://dev.example.com".');
  return collect(origin, earlier);
}

/** A host name such as `hub-1` or `hub.example.com`, without a port. */
export function collectHost(value: string, earlier: string[]): string[] {
  if (!/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value))
    throw new InvalidArgumentError('A host looks like "hub.example.com", without a port.');
  return collect(value.toLowerCase(), earlier);
}

/** Timers overflow after some weeks; a longer time would end at once. */
const MAX_TIME_MS = 86_400_000;

/** Milliseconds from `500ms`, `30s` or `5m`. A number alone could be meant as seconds. */
export function parseMilliseconds(text: string): number {
  const [, number, unit = "ms"] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const value = Math.round(Number(number) * { ms: 1, s: 1_000, m: 60_000 }[unit as "ms" | "s" | "m"]);
  if (number !== undefined && value >= 1 && value <= MAX_TIME_MS) return value;
  throw new InvalidArgumentError("A time looks like 500ms, 30s or 5m, and is at most one day.");
}

/** A time in whole seconds, such as 30s or 10m; a bare number counts seconds. */
export function parseSeconds(text: string): number {
  const milliseconds = parseMilliseconds(/^\d+$/.test(text) ? `${text}s` : text);
  if (milliseconds % 1_000 === 0) return milliseconds / 1_000;
  throw new InvalidArgumentError("It must be whole seconds, such as 30s or 10m.");
}

/** A whole number, at least 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number, at least 1.");
}

/** Labels of browsers such as `place=eu`. */
export function collectLabel(value: string, earlier: Record<string, string>): Record<string, string> {
  const [, name, text] = /^([a-z][a-z0-9-]{0,30})=([\w.-]{1,60})$/.exec(value) ?? [];
  if (name === undefined || text === undefined)
    throw new InvalidArgumentError("A label looks like place=eu or size=large.");
  return { ...earlier, [name]: text };
}
