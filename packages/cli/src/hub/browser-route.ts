import { randomUUID } from "node:crypto";
import { BridgeError, clientOfRun, runOfClient } from "@debug-bridge/protocol";
import type { BrowserSessions } from "@debug-bridge/runner";
import type { Hub } from "@debug-bridge/server";

const MAX_BODY_LENGTH = 1_000_000;

export interface BrowserRouteOptions {
  /** Whether launched browsers may open files of this machine as pages. */
  readonly allowFiles: boolean;
  readonly home: string;
}

/** `/v1/browser-action` of a hub: launched browsers, loaded when first requested. */
export class BrowserRoute {
  private browsers: BrowserSessions | undefined;

  constructor(
    private readonly getHub: () => Hub,
    private readonly options: BrowserRouteOptions,
  ) {}

  async handle(request: Request): Promise<Response> {
    const { BrowserSessions } = await import("@debug-bridge/runner");
    this.browsers ??= new BrowserSessions();
    if (request.method === "DELETE") {
      // The client has disconnected.
      await this.browsers.closeSession(new URL(request.url).searchParams.get("sessionId") ?? "");
      return Response.json({ success: true });
    }
    const { instruction, sessionId } = await readInstruction(request);
    const run = runOfClient(request.headers.get("x-debug-bridge-client") ?? "");
    const hub = this.getHub();
    const response = await this.browsers.handle(instruction, {
      ...this.options,
      sessionId,
      // What the agent of a chat does in a launched browser is asked about as in any other.
      hub: {
        ...hub,
        connectClient: ({ name, ...rest }) => hub.connectClient({ ...rest, name: clientOfRun(name, run) }),
      },
    });
    return Response.json(response);
  }

  async close(): Promise<void> {
    await this.browsers?.closeAll();
  }
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
