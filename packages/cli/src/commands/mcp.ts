import { join } from "node:path";
import { HubClient, homeFolder } from "@debug-bridge/client";
import { clientOfRun } from "@debug-bridge/protocol";
import { Command } from "commander";
import type { HubStarter } from "../hub/find-or-start.js";
import {
  assertOwnPorts,
  type CommonOptions,
  chatRunOption,
  withHome,
  withHub,
  withPage,
  withPorts,
} from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printLine, printMessage } from "../terminal/output.js";
import { UsageError } from "../usage-error.js";
import { VERSION } from "../version.js";

/** Clients ask for the tools within a few milliseconds after the server has introduced itself. */
const QUIET_MS = 100;

interface McpOptions extends CommonOptions {
  readonly http?: boolean;
  readonly page?: string;
  readonly chatRun?: string;
  readonly tempChrome?: boolean;
  readonly allowExecute?: boolean;
  readonly port?: number;
  readonly consolePort?: number;
  readonly relayPort?: number;
}

export function mcpCommand(): Command {
  const command = withPorts(withPage(withHub(withHome(new Command("mcp")))))
    .option("--http", "serve over HTTP instead of stdio, and print the address")
    .addOption(chatRunOption())
    .option("--temp-chrome", "let execute launch a temporary Chrome without the extension")
    .option("--allow-execute", "offer the tool execute over HTTP too")
    .action(serve);
  return addDetails(command, {
    notes:
      "Over stdio it serves one client and ends with it. Over HTTP it is a path of the hub, and needs the hub's token. When no hub runs, it starts one: on the default ports if they are free, else on free ones.",
    examples: [
      "debug-bridge init              add it to your agents",
      "debug-bridge mcp --http        serve it to clients that use HTTP",
    ],
  });
}

async function serve(options: McpOptions): Promise<void> {
  if (options.http && (options.page !== undefined || options.tempChrome))
    throw new UsageError("--page and --temp-chrome work over stdio only; leave out --http");
  assertOwnPorts(options);
  const ended = untilEnded(options.http === true);
  await (options.http ? serveHttp(options, ended) : serveStdio(options, ended));
}

/** Answers at once. The hub is found or started meanwhile, and again whenever it is lost. */
async function serveStdio(options: McpOptions, ended: Promise<void>): Promise<void> {
  const [{ serveStdio: serveMcp }, { createMcpServer }, { createBridge }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("@debug-bridge/mcp"),
    import("../bridge.js"),
  ]);
  const starter = new LazyStarter(options);
  const hub = new HubClient({
    hub: async () => (await starter.get()).findOrStart(),
    name: clientOfRun("mcp", options.chatRun),
  });
  const bridge = createBridge({
    hub,
    home: homeFolder(options.home),
    name: "mcp",
    session: options.page,
    chatRun: options.chatRun,
    temporary: options.tempChrome ? (await import("../temporary-chrome.js")).temporaryChrome() : undefined,
  });
  const connection = serveMcp(() => createMcpServer(bridge, VERSION));
  // Apps can connect before the first tool is called. A failure is reported by the tool that needs the hub.
  whenQuiet(() => void hub.connect().catch(() => {}));
  await ended;
  await connection.close();
  await bridge.close();
  await starter.close();
}

/** Loading the hub takes longer than answering a client, so that happens when a hub is needed. */
class LazyStarter {
  private loading: Promise<HubStarter> | undefined;

  constructor(private readonly options: McpOptions) {}

  get(): Promise<HubStarter> {
    this.loading ??= import("../hub/find-or-start.js").then(({ HubStarter }) => new HubStarter(this.options));
    return this.loading;
  }

  async close(): Promise<void> {
    await (await this.loading)?.close();
  }
}

/** Runs something when the client has opened the connection and waits for no answer: what it asks first comes first. */
function whenQuiet(run: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      process.stdin.off("data", restart);
      run();
    }, QUIET_MS);
    timer.unref();
  };
  process.stdin.on("data", restart);
}

async function serveHttp(options: McpOptions, ended: Promise<void>): Promise<void> {
  const { HubStarter } = await import("../hub/find-or-start.js");
  const starter = new HubStarter(options);
  const { url } = await starter.findOrStart();
  if (options.allowExecute && !starter.isOwn)
    printMessage(
      `the hub at ${url} decides about execute; to allow it, start it with: debug-bridge up --allow-execute`,
    );
  const tokenFile = join(homeFolder(options.home), "token");
  printLine(`${url}/mcp (Authorization: Bearer, with the token of ${tokenFile})`);
  if (starter.isOwn) await ended;
  await starter.close();
}

/** A client over stdio ends by closing its end; a signal ends everything. */
function untilEnded(isHttp: boolean): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    if (isHttp) return;
    process.stdin.on("end", resolve);
    process.stdin.on("close", resolve);
  });
}
