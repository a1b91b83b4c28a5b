import { findHub, HubClient, requireHub } from "@debug-bridge/client";
import { BridgeError } from "@debug-bridge/protocol";
import { Command } from "commander";
import { ConsoleView } from "../console/console-view.js";
import { type Filter, parseFilter, parseSince } from "../console/filter.js";
import { followRecords } from "../console/follow.js";
import { screenOf } from "../console/printer.js";
import { CAUGHT_UP, consoleRecords } from "../console/stream.js";
import { assertOwnPorts, type CommonOptions, withCommon, withPorts } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printMessage } from "../terminal/output.js";

interface ConsoleOptions extends CommonOptions {
  readonly filter: Filter[];
  readonly errors?: boolean;
  readonly since?: number;
  readonly follow?: boolean;
  readonly latency?: boolean;
  readonly verbose?: boolean;
  readonly port?: number;
  readonly consolePort?: number;
  readonly relayPort?: number;
}

export function consoleCommand(): Command {
  const command = withPorts(withCommon(new Command("console")))
    .option(
      "--filter <what>",
      "TEXT | level:error,warn | tab:ID | url:PART | text:PART | session:ID | /REGEX/i (repeatable; all must match)",
      collectFilter,
      [],
    )
    .option("--errors", "show only errors, including uncaught ones")
    .option("--since <when>", "start with events since then: 5m, 2h, or a time", (text) => parseSince(text))
    .option("--follow", "keep showing new lines (the default without --since)")
    .option("--latency", "show how long each line took from the page to here")
    .option("--verbose", "log what is refused, and connections that break, to stderr")
    .action(showConsole);
  return addDetails(command, {
    notes:
      "It shows every tab that the extension captures and every app that embeds the SDK. When no hub runs, it starts one that ends with it. With --json it prints one record per line.",
    examples: [
      "debug-bridge console --errors",
      "debug-bridge console --filter tab:7 --filter /order/i",
      "debug-bridge console --since 10m",
      "debug-bridge console --json | jq .data",
    ],
  });
}

function collectFilter(text: string, earlier: Filter[]): Filter[] {
  return [...earlier, parseFilter(text)];
}

async function showConsole(options: ConsoleOptions): Promise<void> {
  assertOwnPorts(options);
  const { hub, close } = await joinOrStart(options);
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => controller.abort());
  // When the reader is gone (`| head`), the command ends.
  process.stdout.on("error", () => controller.abort());
  const follow = options.follow ?? options.since === undefined;
  const view = new ConsoleView({
    filters: [...options.filter, ...(options.errors ? [isError] : [])],
    json: options.json ?? false,
    latency: options.latency ?? false,
    screen: screenOf(process.stdout),
  });
  const since = options.since ?? Date.now();
  const records = follow
    ? followRecords(() => hub, since, controller.signal, printMessage)
    : consoleRecords(hub, since, controller.signal);
  let complete = false;
  for await (const record of records) {
    if (record.type !== CAUGHT_UP) await view.record(record);
    else if (!follow) {
      complete = true;
      break;
    }
  }
  const wasLost = !complete && !controller.signal.aborted;
  controller.abort();
  view.end();
  if (view.latencies.length > 0) printMessage(latencySummary(view.latencies));
  await close();
  if (wasLost)
    throw new BridgeError(
      "app_not_connected",
      `the connection to the hub at ${hub.url} was lost before all records arrived`,
    );
}

const isError: Filter = ({ level }) => level === "error";

/** The running hub, or one that lives as long as this command. */
async function joinOrStart(options: ConsoleOptions): Promise<{ hub: HubClient; close: () => Promise<void> }> {
  const isRequested = options.hub !== undefined;
  if (isRequested || (options.port === undefined && (await findHub(options)))) {
    if (options.verbose)
      printMessage("A hub runs already: what it refuses is logged where it was started with --verbose.");
    // A hub that is started again may have another port.
    return { hub: new HubClient({ hub: () => requireHub(options), name: "console" }), close: async () => {} };
  }
  const { HubStarter } = await import("../hub/find-or-start.js");
  const { logRefusal } = await import("../terminal/log-refusal.js");
  const started = options.verbose ? { ...options, onRefused: logRefusal } : options;
  const starter = new HubStarter(started, ({ url, consoleUrl }) =>
    printMessage(`hub ${url}, console wire ${consoleUrl}: waiting for tabs and apps (Ctrl+C to stop)`),
  );
  const hub = new HubClient({ hub: () => starter.findOrStart(), name: "console" });
  await hub.connect();
  return { hub, close: () => starter.close() };
}

function latencySummary(latencies: number[]): string {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return `${sorted.length} lines, latency: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms`;
}
