import { BridgeError } from "@debug-bridge/protocol";
import { DEFAULT_PORTS, startHub } from "@debug-bridge/server";
import { Command } from "commander";
import { hubAssets } from "../assets.js";
import { type Filter, parseFilter, parseSince } from "../console/filter.js";
import { followRecords } from "../console/follow.js";
import { Show } from "../console/show.js";
import { CAUGHT_UP, consoleRecords } from "../console/stream.js";
import { styleFor } from "../console/style.js";
import { parsePort } from "../options.js";
import { type HubAddress, type RunningHub, runningHub } from "../running-hub.js";

interface ConsoleOptions extends HubAddress {
  readonly filter: Filter[];
  readonly errors?: boolean;
  readonly since?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly latency?: boolean;
  readonly port?: number;
  readonly consolePort: number;
  readonly relayPort: number;
}

const EXAMPLES = `
Examples:
  debug-bridge console --errors                        only what went wrong
  debug-bridge console --filter tab:7 --filter /order/i  one tab, and only lines that match
  debug-bridge console --since 10m                     the last ten minutes, then end
  debug-bridge console --json | jq .data               for programs`;

export function consoleCommand(): Command {
  return new Command("console")
    .description("show the browser's console in the terminal, of every tab and app that is connected")
    .option(
      "--filter <what>",
      "level:error,warn | tab:ID | url:PART | text:PART | session:ID | /REGEX/i (may be repeated)",
      collectFilter,
      [],
    )
    .option("--errors", "only errors, also those that nothing caught")
    .option("--since <when>", "start with what happened since then: 5m, 2h, or a time", (text) =>
      parseSince(text),
    )
    .option("--follow", "go on with what happens (the default without --since)")
    .option("--json", "one JSON record a line")
    .option("--latency", "show how long each line took from the page to here")
    .option("--hub <url>", "join this hub (default: the running one, else one of its own)")
    .option("--home <dir>", "home of the hub, for its token")
    .option("--port <port>", "port of a hub of its own", parsePort)
    .option("--console-port <port>", "console port of a hub of its own", parsePort, DEFAULT_PORTS.console)
    .option("--relay-port <port>", "relay port of a hub of its own", parsePort, DEFAULT_PORTS.relay)
    .addHelpText("after", EXAMPLES)
    .action(showConsole);
}

function collectFilter(text: string, earlier: Filter[]): Filter[] {
  return [...earlier, parseFilter(text)];
}

async function showConsole(options: ConsoleOptions): Promise<void> {
  const { hub, find, close } = await joinOrStart(options);
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => controller.abort());
  // A reader that goes away (`| head`) ends the command as it should.
  process.stdout.on("error", () => controller.abort());
  const follow = options.follow ?? options.since === undefined;
  const show = new Show({
    filters: [...options.filter, ...(options.errors ? [isError] : [])],
    json: options.json ?? false,
    latency: options.latency ?? false,
    style: styleFor(process.stdout),
    write: (text) => process.stdout.write(text),
  });
  const since = options.since ?? Date.now();
  const records = follow
    ? followRecords(find, since, controller.signal, (what) => process.stderr.write(`${what}\n`))
    : consoleRecords(hub, since, controller.signal);
  let complete = false;
  for await (const record of records) {
    if (record.type !== CAUGHT_UP) await show.record(record);
    else if (!follow) {
      complete = true;
      break;
    }
  }
  const wentAway = !complete && !controller.signal.aborted;
  controller.abort();
  show.end();
  if (show.latencies.length > 0) process.stderr.write(latencySummary(show.latencies));
  await close();
  if (wentAway)
    throw new BridgeError("app_not_connected", `the hub at ${hub.url} went away before it had told all`);
}

const isError: Filter = ({ level }) => level === "error";

/** The running hub, or one that lives as long as this command. */
async function joinOrStart(
  options: ConsoleOptions,
): Promise<{ hub: RunningHub; find: () => RunningHub; close: () => Promise<void> }> {
  const running = runningHub(options);
  if (options.hub !== undefined || (options.port === undefined && (await running.isThere()))) {
    // One that is started anew may have another port.
    return { hub: running, find: () => runningHub(options), close: async () => {} };
  }
  const own = await startHub({
    ...(options.home === undefined ? {} : { home: options.home }),
    port: options.port ?? DEFAULT_PORTS.hub,
    consolePort: options.consolePort,
    relayPort: options.relayPort,
    assets: hubAssets({ demo: false }),
  });
  process.stderr.write(
    `hub ${own.url}, console wire ${own.consoleUrl}: waiting for tabs and apps (Ctrl+C ends)\n`,
  );
  const hub = runningHub({ ...options, hub: own.url });
  return { hub, find: () => hub, close: () => own.close() };
}

function latencySummary(latencies: number[]): string {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return `${sorted.length} lines, latency: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms\n`;
}
