import { HubClient, requireHub } from "@debug-bridge/client";
import { type HubBrowsers, plural } from "@debug-bridge/protocol";
import { Command } from "commander";
import { type CommonOptions, collectLabel, parseMilliseconds, withCommon } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printJson, printLine } from "../terminal/output.js";

interface StartOptions extends CommonOptions {
  readonly label: Record<string, string>;
  readonly lease?: number;
  readonly timeout?: number;
}

interface Started {
  readonly session: string;
  readonly hub: string;
  readonly leaseMs: number;
}

/** `debug-bridge browsers`: browsers of all hubs of a bus, by label. */
export function browsersCommand(): Command {
  const command = new Command("browsers");
  for (const each of [startCommand(), renewCommand(), listCommand(), stopCommand()]) command.addCommand(each);
  return addDetails(command, {
    notes: "Hubs started with --browsers or --browser-at offer browsers to clients.",
    examples: [
      "debug-bridge browsers start --label place=eu --lease 10m",
      "debug-bridge browsers list",
      "debug-bridge browsers stop browser-0123456789ab",
    ],
  });
}

function startCommand(): Command {
  const command = withCommon(new Command("start"))
    .description("start a browser on any hub, and print its session")
    .option("--label <name=value>", "required label of the browser (repeatable)", collectLabel, {})
    .option("--lease <time>", "end it after this time, unless it is renewed (default: 1m)", parseMilliseconds)
    .option("--timeout <time>", "how long to wait (default: 1m)", parseMilliseconds)
    .action(async ({ label, lease, timeout, ...options }: StartOptions) => {
      const wanted = {
        ...{ labels: label },
        ...(lease === undefined ? {} : { leaseMs: lease }),
        ...(timeout === undefined ? {} : { waitMs: timeout }),
      };
      const started = (await withHubOf(options, (hub) => hub.post("/v1/browsers", wanted))) as Started;
      if (options.json) await printJson(started);
      else printLine(started.session);
    });
  return addDetails(command, {
    notes: "It waits while all browsers are in use.",
    examples: ["debug-bridge browsers start", "debug-bridge browsers start --label size=large"],
  });
}

function renewCommand(): Command {
  const command = withCommon(new Command("renew"))
    .description("renew the lease of a browser")
    .argument("<session>", "the session of the browser")
    .option(
      "--lease <time>",
      "end it after this time, unless it is renewed (default: the previous time)",
      parseMilliseconds,
    )
    .action(async (session: string, { lease, ...options }: CommonOptions & { readonly lease?: number }) => {
      const renewed = await withHubOf(options, (hub) =>
        hub.post(pathOf(session), lease === undefined ? {} : { leaseMs: lease }),
      );
      if (options.json) await printJson(renewed);
      else printLine(`${session} ends at ${timeOf((renewed as { until: number }).until)}`);
    });
  return addDetails(command, { examples: ["debug-bridge browsers renew browser-0123456789ab --lease 10m"] });
}

function stopCommand(): Command {
  const command = withCommon(new Command("stop"))
    .description("end a browser")
    .argument("<session>", "the session of the browser")
    .action(async (session: string, options: CommonOptions) => {
      await withHubOf(options, (hub) => hub.delete(pathOf(session)));
      if (options.json) await printJson({ session, ended: true });
      else printLine(`${session} has ended`);
    });
  return addDetails(command, { examples: ["debug-bridge browsers stop browser-0123456789ab"] });
}

function listCommand(): Command {
  const command = withCommon(new Command("list"))
    .description("list the browsers of each hub and when their leases end")
    .action(async (options: CommonOptions) => {
      const { hubs } = (await withHubOf(options, (hub) => hub.get("/v1/browsers"))) as {
        hubs: readonly HubBrowsers[];
      };
      const offering = hubs.filter(({ max, waiting }) => max + waiting > 0);
      if (options.json) await printJson({ hubs });
      else if (offering.length === 0)
        printLine("No hub offers browsers. Start one with: debug-bridge up --browsers 2");
      else for (const line of offering.flatMap(linesOf)) printLine(line);
    });
  return addDetails(command, { examples: ["debug-bridge browsers list"] });
}

function linesOf({ name, max, waiting, labels, browsers }: HubBrowsers): string[] {
  const about = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  const free = `${browsers.length} of ${plural(max, "browser")} in use`;
  return [
    [
      name || "this hub",
      free,
      waiting > 0 && `${plural(waiting, "request")} of its clients waiting`,
      ...about,
    ]
      .filter(Boolean)
      .join("  "),
    ...browsers.map(({ session, until }) => `  ${session}  until ${timeOf(until)}`),
  ];
}

const timeOf = (at: number): string => new Date(at).toISOString();

const pathOf = (session: string): string => `/v1/sessions/${encodeURIComponent(session)}/browser`;

async function withHubOf<Value>(
  options: CommonOptions,
  run: (hub: HubClient) => Promise<Value>,
): Promise<Value> {
  const hub = new HubClient({ hub: () => requireHub(options), name: "cli" });
  try {
    return await run(hub);
  } finally {
    hub.close();
  }
}
