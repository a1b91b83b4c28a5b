import { randomUUID } from "node:crypto";
import { BridgeError } from "@debug-bridge/protocol";
import type { BrowserSessions } from "@debug-bridge/runner";
import { type Hub, type HubOptions, homeFolder, type RouteHandler, startHub } from "@debug-bridge/server";
import { VERSION } from "./version.js";

const MOST_BODY = 1_000_000;

/**
 * A hub with what only the command line can put together: the runner's browser behind `/v1/browser-action`, and the
 * MCP server behind `/mcp`. Both are loaded when first asked for.
 */
export async function startFullHub(options: HubOptions): Promise<Hub> {
  const closers: (() => Promise<unknown>)[] = [];
  let browsers: BrowserSessions | undefined;
  const routes = new Map<string, RouteHandler>([
    ["/v1/browser-action", (request) => browserAction(request)],
    ["/mcp", (request) => mcp().then((handler) => handler.fetch(request))],
  ]);
  const hub = await startHub({ ...options, routes });

  const browserAction = async (request: Request): Promise<Response> => {
    const { BrowserSessions } = await import("@debug-bridge/runner");
    browsers ??= new BrowserSessions();
    if (request.method === "DELETE") {
      // The client went: its browser goes with it.
      await browsers.closeSession(new URL(request.url).searchParams.get("sessionId") ?? "");
      return Response.json({ success: true });
    }
    const { instruction, sessionId } = await readInstruction(request);
    const response = await browsers.handle(instruction, {
      sessionId,
      home: homeFolder(options.home),
      onPage: (page) =>
        page.connect(hub.joinAsApp(sessionId, { kind: "browser" }), { sessionId, kind: "browser" }),
    });
    return Response.json(response);
  };

  let handler: ReturnType<typeof openMcp> | undefined;
  const mcp = (): ReturnType<typeof openMcp> => {
    handler ??= openMcp();
    return handler;
  };
  const openMcp = async () => {
    const [{ createMcpHandler }, { bridgeTo }, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./bridge.js"),
      import("@debug-bridge/mcp"),
    ]);
    const bridge = bridgeTo({ url: hub.url, token: hub.token, home: homeFolder(options.home), name: "mcp" });
    closers.push(() => bridge.close());
    return createMcpHandler(() => createMcpServer(bridge, VERSION));
  };

  return {
    ...hub,
    async close() {
      await browsers?.closeAll();
      await Promise.all(closers.map((close) => close().catch(() => {})));
      await hub.close();
    },
  };
}

async function readInstruction(request: Request): Promise<{ instruction: string; sessionId: string }> {
  const text = await request.text();
  if (text.length > MOST_BODY)
    throw new BridgeError("too_large", `an instruction has at most ${MOST_BODY} characters`);
  let body: { instruction?: unknown; sessionId?: unknown };
  try {
    body = JSON.parse(text) as typeof body;
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
