import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type FoundHub, foundHub, HubClient } from "@debug-bridge/client";
import { BridgeError, type BrowserResponse, clientOfRun, runOfClient } from "@debug-bridge/protocol";
import type { BrowserSessions, PageRenderer, RunnerOptions, SourceMaps } from "@debug-bridge/runner";
import { type Hub, type HubOptions, homeFolder, type RouteHandler, startHub } from "@debug-bridge/server";
import { drawPageScript } from "./assets.js";
import { ownProviders } from "./chat/providers.js";
import { refreshExtension } from "./extension/folder.js";
import { type OfferedBrowsers, offeredBrowsers } from "./hub/offered-browsers.js";
import { sourceLocator } from "./source-locator.js";
import { printMessage } from "./terminal/output.js";
import { VERSION } from "./version.js";

/** Scripts change while an app is developed, under the same address: their maps are used for one burst of questions. */
const MAPS_AGE_MS = 1_000;
const MAX_BODY_LENGTH = 1_000_000;

export interface FullHubOptions extends HubOptions {
  /** Whether `execute` is offered at `/mcp`. */
  readonly allowExecute?: boolean;
  /** Whether launched browsers may open files of this machine as pages. */
  readonly allowFiles?: boolean;
  /** Browsers that this hub starts for clients of all hubs of its bus. */
  readonly offered?: Pick<OfferedBrowsers, "count" | "addresses" | "labels">;
}

/**
 * A hub with everything that the command line adds to it: launched browsers at `/v1/browser-action` and the MCP server
 * at `/mcp`. Both are loaded when first requested.
 */
export async function startFullHub({
  allowExecute = false,
  allowFiles = false,
  offered,
  ...options
}: FullHubOptions): Promise<Hub> {
  const closers: (() => Promise<unknown>)[] = [];
  let browsers: BrowserSessions | undefined;
  let renderer: PageRenderer | undefined;
  const routes = new Map<string, RouteHandler>([
    ["/v1/browser-action", (request) => browserAction(request)],
    ["/mcp", (request) => mcp().then((handler) => handler.fetch(request))],
  ]);
  let maps: Promise<SourceMaps> | undefined;
  let readAt = 0;
  const sources = (): Promise<SourceMaps> => {
    if (!maps || Date.now() - readAt > MAPS_AGE_MS) {
      readAt = Date.now();
      maps = import("@debug-bridge/runner").then(({ SourceMaps }) => new SourceMaps());
    }
    return maps;
  };
  const hub = await startHub({
    ...options,
    routes,
    ...(offered === undefined
      ? {}
      : { browsers: await offeredBrowsers({ ...offered, home: homeFolder(options.home), allowFiles }) }),
    readSource: (place, page) => sources().then((maps) => maps.excerpt(place, page)),
    locateSource: sourceLocator(),
    renderPage: async (page, how) => {
      const { PageRenderer } = await import("@debug-bridge/runner");
      renderer ??= new PageRenderer({ script: drawPageScript() });
      return renderer.render(page, how);
    },
    chatProviders: await ownProviders(homeFolder(options.home)),
  });
  refreshCopy(homeFolder(options.home));
  const stopSpool = (await import("@debug-bridge/agent/hook")).followSpool(homeFolder(options.home));

  const browserAction = async (request: Request): Promise<Response> => {
    const { BrowserSessions } = await import("@debug-bridge/runner");
    browsers ??= new BrowserSessions();
    if (request.method === "DELETE") {
      // The client has disconnected.
      await browsers.closeSession(new URL(request.url).searchParams.get("sessionId") ?? "");
      return Response.json({ success: true });
    }
    const { instruction, sessionId } = await readInstruction(request);
    const run = runOfClient(request.headers.get("x-debug-bridge-client") ?? "");
    const response = await browsers.handle(instruction, {
      sessionId,
      // What the agent of a chat does in a launched browser is asked about as in any other.
      hub: {
        ...hub,
        connectClient: ({ name, ...rest }) => hub.connectClient({ ...rest, name: clientOfRun(name, run) }),
      },
      allowFiles,
      home: homeFolder(options.home),
    });
    return Response.json(response);
  };

  let handler: ReturnType<typeof openMcp> | undefined;
  const mcp = (): ReturnType<typeof openMcp> => {
    handler ??= openMcp();
    return handler;
  };
  const openMcp = async () => {
    const [{ createMcpHandler }, { createBridge, EXECUTE_OFF }, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./bridge.js"),
      import("@debug-bridge/mcp"),
    ]);
    const client = new HubClient({ hub: () => foundOwn(hub), name: "mcp" });
    const bridge = createBridge({
      ...{ hub: client, home: homeFolder(options.home), name: "mcp" },
      executeOff: options.readOnly ? EXECUTE_OFF.readOnly : allowExecute ? undefined : EXECUTE_OFF.overHttp,
      // A client elsewhere does not know where this hub was started.
      reproductions: join(homeFolder(options.home), "reproductions"),
      // Without a token everybody on this machine gets here, and the relay's token must not serve them.
      tabs: options.auth !== "none",
    });
    closers.push(() => bridge.close());
    return createMcpHandler(() => createMcpServer(bridge, VERSION));
  };

  return {
    ...hub,
    // It may be replaced while the hub runs.
    get token() {
      return hub.token;
    },
    async close() {
      stopSpool();
      await browsers?.closeAll();
      await renderer?.close();
      await Promise.all(closers.map((close) => close().catch(() => {})));
      await hub.close();
    },
  };
}

/** The hub of this process, with the token that is valid now. */
export async function foundOwn({ url, token, joinAsAgent }: Hub): Promise<FoundHub> {
  const found = await foundHub(url, token);
  const only = { records: false, deltas: false, quiet: true, sessions: true, since: undefined };
  if (found) return { ...found, joinAsAgent: (session) => joinAsAgent({ ...session, ...only }) };
  throw new BridgeError("app_not_connected", `the hub at ${url} does not answer`);
}

/** A copy of the extension in the home gets the files of this version. The hub works without one. */
function refreshCopy(home: string): void {
  try {
    refreshExtension(home);
  } catch (thrown) {
    printMessage(`the extension in ${home} could not be updated: ${(thrown as Error).message}`);
  }
}

/** A browser for one command, with its own hub that ends with it. */
export interface OwnBrowser {
  handle(instruction: string): Promise<BrowserResponse>;
  close(): Promise<void>;
}

/** Starts a private hub, on free ports, for a browser that nobody else uses. */
export async function openOwnBrowser(options: Omit<RunnerOptions, "hub">): Promise<OwnBrowser> {
  const { BrowserSessions } = await import("@debug-bridge/runner");
  const home = homeFolder(options.home);
  const ports = { port: 0, consolePort: 0, relayPort: 0 };
  const hub = await startHub({ ...ports, home, driveTabs: false, announce: false });
  const browsers = new BrowserSessions();
  return {
    handle: (instruction) => browsers.handle(instruction, { ...options, home, hub }),
    async close() {
      await browsers.closeAll();
      await hub.close();
    },
  };
}

async function readInstruction(request: Request): Promise<{ instruction: string; sessionId: string }> {
  const text = await request.text();
  if (text.length > MAX_BODY_LENGTH)
    throw new BridgeError("too_large", `an instruction has at most ${MAX_BODY_LENGTH} characters`);
  let body: { instruction?: unknown; sessionId?: unknown };
  try {
    body = (JSON.parse(text) ?? {}) as typeof body;
  } catch {
    body = {};
  }
  const { instruction, sessionId } = body;
  if (typeof instruction !== "string") {
    throw new BridgeError(
      "invalid_message",
      'send JSON with the instruction: {"instruction": "<type>start</type><url>http://localhost:3000/</url>"}',
      { field: "instruction" },
    );
  }
  const isId = typeof sessionId === "string" && /^[\w.:-]{1,100}$/.test(sessionId);
  return { instruction, sessionId: isId ? sessionId : `browser-${randomUUID().slice(0, 8)}` };
}
