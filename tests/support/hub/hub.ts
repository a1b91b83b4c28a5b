import { type Bus, type Hub, type HubOptions, startHub } from "@debug-bridge/server";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../fixtures.js";
import { rememberHome } from "../chrome/pairing.js";
import { auditText } from "./audit.js";
import { hasTwoHubs, newBus } from "./two-hubs.js";
import { type ConnectOptions, WireClient } from "./wire-client.js";

export interface TestHub extends Hub {
  /** The hub of apps and the extension, whose `home` and `relayUrl` these are; `url` and `token` are those of agents. */
  readonly first: Hub;
  readonly home: string;
  /** The home of the hub that chats are on; `home` is that of the apps' hub. */
  readonly chatHome: string;
  /** The relay that CDP clients connect to; `relayUrl` is that of the extension. */
  readonly clientRelayUrl: string;
  app(sessionId?: string, options?: ConnectOptions): Promise<WireClient>;
  agent(sessionId?: string, options?: ConnectOptions): Promise<WireClient>;
  api(path: string, init?: RequestInit): Promise<Response>;
  /** The audit log as text: the acts, and the refusals. */
  audit(): string;
}

/** The homes of second hubs, by those of the first: a hub that follows in a home has the chats of the one before. */
const chatHomes = new Map<string, string>();

function chatHomeOf(home: string): string {
  const chatHome = chatHomes.get(home) ?? temporaryFolder();
  chatHomes.set(home, chatHome);
  return chatHome;
}

/** The hub that agents, CDP clients and the HTTP API use. */
async function secondHub(options: HubOptions, bus: Bus, home: string): Promise<Hub> {
  const hub = await startHub({
    ...{ port: 0, consolePort: 0, relayPort: 0, ...options, home, announce: false },
    bus,
  });
  onTestFinished(() => hub.close());
  return hub;
}

/** A separate hub for one test, on free ports, with peers that know only the wire. */
export async function testHub(options: HubOptions = {}): Promise<TestHub> {
  const home = options.home ?? temporaryFolder();
  // A hub without a token has no bus.
  const isShared = hasTwoHubs && options.bus === undefined && options.auth !== "none";
  const connect = isShared ? newBus() : undefined;
  const first = await startHub({
    ...{ port: 0, consolePort: 0, relayPort: 0, ...options, home },
    ...(connect && { bus: await connect("first") }),
  });
  rememberHome(home, first.consoleUrl, first.relayUrl);
  onTestFinished(() => first.close());
  const homes = connect ? [home, chatHomeOf(home)] : [home];
  const hub = connect ? await secondHub(options, await connect("second"), homes[1] as string) : first;
  return {
    ...first,
    first,
    url: hub.url,
    clientRelayUrl: hub.relayUrl,
    chatHome: homes.at(-1) as string,
    token: hub.token,
    home,
    close: async () => {
      await Promise.all([...new Set([hub, first])].map((each) => each.close()));
    },
    audit: () => homes.map(auditText).join(""),
    app: (sessionId = "s", rest = {}) => WireClient.connect(first.url, { role: "app", sessionId, ...rest }),
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

/** Makes an app answer every command with success, or as given. */
export function answer(
  app: WireClient,
  reply: (command: Record<string, unknown>) => Record<string, unknown> = () => ({}),
): void {
  const receive = (command: Record<string, unknown>): void => {
    if (command.origin !== "agent") return;
    const { type, requestId } = command;
    app.send({ type: "command_result", requestType: type, requestId, success: true, ...reply(command) });
  };
  // Some may have come together with the answer to the upgrade.
  for (const message of app.received) receive(message);
  app.socket.on("message", (data) => receive(JSON.parse(String(data)) as Record<string, unknown>));
}
