import { type Hub, type HubOptions, startHub } from "@debug-bridge/server";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { auditText } from "./audit.js";
import { rememberHome } from "./pairing.js";
import { type ConnectOptions, WireClient } from "./wire-client.js";

export interface TestHub extends Hub {
  readonly home: string;
  app(sessionId?: string, options?: ConnectOptions): Promise<WireClient>;
  agent(sessionId?: string, options?: ConnectOptions): Promise<WireClient>;
  api(path: string, init?: RequestInit): Promise<Response>;
  /** The audit log as text: the acts, and the refusals. */
  audit(): string;
}

/** A separate hub for one test, on free ports, with peers that know only the wire. */
export async function testHub(options: HubOptions = {}): Promise<TestHub> {
  const home = options.home ?? temporaryFolder();
  const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0, ...options, home });
  rememberHome(home, hub.consoleUrl, hub.relayUrl);
  onTestFinished(() => hub.close());
  return {
    ...hub,
    home,
    audit: () => auditText(home),
    app: (sessionId = "s", rest = {}) => WireClient.connect(hub.url, { role: "app", sessionId, ...rest }),
    agent: (sessionId = "s", rest = {}) =>
      WireClient.connect(hub.url, { role: "agent", sessionId, token: hub.token, ...rest }),
    api: (path, init = {}) =>
      fetch(`${hub.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${hub.token}`, ...init.headers },
      }),
  };
}

export const hello = { type: "hello", url: "http://localhost:3000/", userAgent: "test", protocolVersion: 1 };

/** Makes an app answer every command with success, or as told. */
export function answer(
  app: WireClient,
  reply: (command: Record<string, unknown>) => Record<string, unknown> = () => ({}),
): void {
  app.socket.on("message", (data) => {
    const command = JSON.parse(String(data)) as Record<string, unknown>;
    if (command.origin !== "agent") return;
    const { type, requestId } = command;
    app.send({ type: "command_result", requestType: type, requestId, success: true, ...reply(command) });
  });
}
