import { join } from "node:path";
import { homeFolder, readToken } from "@debug-bridge/server";
import { Command } from "commander";
import { hubAssets } from "../assets.js";
import { bridgeTo } from "../bridge.js";
import { startFullHub } from "../hub-services.js";
import { parsePort } from "../options.js";
import { runningHub } from "../running-hub.js";
import { VERSION } from "../version.js";

interface McpOptions {
  readonly http?: boolean;
  readonly hub?: string;
  readonly home?: string;
  readonly temp?: boolean;
  readonly port?: number;
  readonly consolePort?: number;
  readonly relayPort?: number;
}

const EXAMPLES = `
Examples:
  claude mcp add debug-bridge -- npx debug-bridge mcp
  codex mcp add debug-bridge -- npx debug-bridge mcp
  debug-bridge mcp --http               for clients that speak MCP over HTTP

Over stdio it serves one client and ends with it. Over HTTP it is a path of the hub, and wants the hub's token.`;

export function mcpCommand(): Command {
  return new Command("mcp")
    .description("serve MCP: over a running hub, or one that it starts")
    .option("--http", "over HTTP instead of stdio; prints the address")
    .option("--hub <url>", "address of the hub (default: the usual one)")
    .option("--home <dir>", "where state is kept")
    .option("--port <port>", "start a hub of its own on this port; 0 takes a free one", parsePort)
    .option("--console-port <port>", "port of its console wire", parsePort)
    .option("--relay-port <port>", "port of its relay", parsePort)
    .option("--temp", "let execute use a temporary Chrome while no extension is connected")
    .addHelpText("after", EXAMPLES)
    .action(serve);
}

async function serve(options: McpOptions): Promise<void> {
  const home = homeFolder(options.home);
  const running = runningHub(options);
  const starts = options.port !== undefined || (options.hub === undefined && !(await running.isThere()));
  const own = starts
    ? await startFullHub({ home, ...ports(options), assets: hubAssets({ demo: false }) })
    : undefined;
  const url = own?.url ?? running.url;
  const ended = untilEnded(options.http === true);
  if (options.http) {
    process.stdout.write(`${url}/mcp (Authorization: Bearer, with the token of ${join(home, "token")})\n`);
    if (own) await ended;
  } else {
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    const { createMcpServer } = await import("@debug-bridge/mcp");
    const token = own?.token ?? readToken(join(home, "token"));
    const bridge = bridgeTo({ ...{ url, token, home, name: "mcp" }, temporary: options.temp });
    const connection = serveStdio(() => createMcpServer(bridge, VERSION));
    await ended;
    await connection.close();
    await bridge.close();
  }
  await own?.close();
}

function ports({
  port,
  consolePort,
  relayPort,
}: McpOptions): Partial<Record<"port" | "consolePort" | "relayPort", number>> {
  return {
    ...(port === undefined ? {} : { port }),
    ...(consolePort === undefined ? {} : { consolePort }),
    ...(relayPort === undefined ? {} : { relayPort }),
  };
}

/** A client over stdio ends by closing its end; everyone else by a signal. */
function untilEnded(http: boolean): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    if (http) return;
    process.stdin.on("end", resolve);
    process.stdin.on("close", resolve);
  });
}
