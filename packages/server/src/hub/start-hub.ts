import { announceHub } from "@debug-bridge/client/files";
import type { Transport } from "@debug-bridge/protocol";
import { homeHas } from "../http/hub/own-home.js";
import { type JoinOptions, joinAsApp } from "../providers/in-process/join-as-app.js";
import { TabSessions } from "../providers/tabs/tab-sessions.js";
import type { Relay } from "../relay/relay.js";
import { type ConnectClientOptions, HubConnection } from "../sessions/peers/hub-connection.js";
import { VERSION } from "../version.js";
import { AgentWire } from "../wires/agent/wire.js";
import type { AgentTarget } from "../wires/app-agent.js";
import { type Core, openCore } from "./core.js";
import { bindAll, type Endpoints, type Listeners, openEndpoints } from "./endpoints.js";
import type { HubOptions } from "./options.js";

export interface Hub {
  /** `http://127.0.0.1:4000` */
  readonly url: string;
  readonly consoleUrl: string;
  readonly relayUrl: string;
  readonly tokenFile: string;
  /** The name of this hub on its bus. */
  readonly name: string | undefined;
  /** The token that is valid now. */
  readonly token: string;
  /** The tabs of the person's browser, and CDP sessions on them. */
  readonly relay: Relay;
  /** Joins a session as an app inside this process, which speaks the app wire over the transport. */
  joinAsApp(sessionId: string, options?: JoinOptions): Transport;
  /** Joins a session as an agent inside this process, which speaks the app wire over the transport. */
  joinAsAgent(target: AgentTarget): Transport;
  /** Connects a client inside this process. Its commands pass the same dispatcher as everyone's. */
  connectClient(options: ConnectClientOptions): HubConnection;
  /** Ends every connection and frees the ports. What was recorded is on disk when it resolves. */
  close(): Promise<void>;
}

/**
 * Starts a hub. Resolves once all of its ports are bound.
 *
 * @example
 * const hub = await startHub({ port: 0, consolePort: 0, relayPort: 0 });
 * console.log(hub.url);
 * await hub.close();
 */
export async function startHub(options: HubOptions = {}): Promise<Hub> {
  const opened: { close(): unknown }[] = [];
  try {
    return await openHub(options, opened);
  } catch (thrown) {
    await Promise.allSettled(opened.map((each) => each.close()));
    throw thrown;
  }
}

/** Starts the parts. What a hub that cannot start must close again is added to `opened`. */
async function openHub(options: HubOptions, opened: { close(): unknown }[]): Promise<Hub> {
  const core = await openCore(options);
  if (core.cluster) opened.push(core.cluster);
  const listeners = await bindAll(core.host, options);
  opened.push(...Object.values(listeners));
  const endpoints = openEndpoints(core, listeners, options);
  const tabSessions = driveTabs(core, endpoints.relay, options);
  const agentWire = new AgentWire([core.home, ...(options.agentDirs ?? [])], core.sessions);
  await joinBus(core, endpoints);
  core.browsers.begin();
  const announcement = announce(core, endpoints, listeners, options);
  followSecrets(core, endpoints, listeners, (cdpUrl) => announcement?.update(cdpUrl), options);
  return hubOf(core, endpoints, listeners, async () => {
    announcement?.withdraw();
    await Promise.all([endpoints.chats.runs.close(), core.browsers.close()]);
    core.secrets.close();
    endpoints.codeWindow.close();
    agentWire.close();
    tabSessions?.close();
    core.appWire.close();
    endpoints.consoleWire.close();
    endpoints.relay.close();
    core.sessions.close();
    core.timelines.close();
    await core.cluster?.close();
    await Promise.all(Object.values(listeners).map((listener) => listener.close()));
    await Promise.all([core.audit.settled(), core.recorder.close()]);
  });
}

function hubOf(core: Core, endpoints: Endpoints, listeners: Listeners, close: () => Promise<void>): Hub {
  const { secrets, sessions, cluster, appWire, policy } = core;
  let nextClient = 1;
  return {
    url: endpoints.url,
    consoleUrl: `ws://127.0.0.1:${listeners.console.port}`,
    relayUrl: `ws://127.0.0.1:${listeners.relay.port}`,
    tokenFile: secrets.tokenFile,
    name: core.bus?.hub,
    get token() {
      return secrets.token;
    },
    relay: endpoints.relay,
    joinAsApp: (sessionId, join = {}) => joinAsApp(sessions, sessionId, join),
    joinAsAgent: (target) =>
      cluster ? cluster.joinAsAgent(target, { appWire, sessions }) : appWire.joinAsAgent(target),
    connectClient: ({ name, kind = "client" }) =>
      new HubConnection(`${kind}-${nextClient++}:${name.slice(0, 100)}`, sessions, policy),
    close,
  };
}

function driveTabs({ gate, sessions }: Core, relay: Relay, options: HubOptions): TabSessions | undefined {
  // Without a token everybody on this machine is an agent, and tabs hold the person's logins.
  if (options.driveTabs === false || gate.auth === "none") return undefined;
  return new TabSessions(relay, sessions, {
    enableEval: true,
    onFailed: (sessionId, error) => options.onRefused?.(`driving ${sessionId}`, error),
  });
}

async function joinBus(core: Core, { relay, chats, http }: Endpoints): Promise<void> {
  const { home, secrets, sessions, appWire, feed, browsers } = core;
  await core.cluster?.start({
    ...{ sessions, appWire, feed, browsers, relay },
    ...{ hasItem: homeHas(home, chats), runs: chats.approvals },
    answer: (request) => http.fetch(request, { fromHub: true }),
    token: () => secrets.token,
  });
}

/** Other programs find a hub by its file in the home. */
function announce(core: Core, { url, relay }: Endpoints, listeners: Listeners, options: HubOptions) {
  if (options.announce === false) return undefined;
  return announceHub(core.home, {
    url,
    ports: { hub: listeners.hub.port, console: listeners.console.port, relay: listeners.relay.port },
    version: VERSION,
    ...(options.writeCdpUrl === false ? {} : { cdpUrl: relay.clientUrl }),
  });
}

/** Ends what was admitted by a token or a key that was replaced. */
function followSecrets(
  { secrets, audit, appWire }: Core,
  { relay, consoleWire, panel }: Endpoints,
  { hub }: Listeners,
  updateCdpUrl: (url: string | undefined) => void,
  options: HubOptions,
): void {
  secrets.follow({
    onToken() {
      const reason = "the token was replaced; read the new one from the hub's home";
      audit.write({ who: "hub", what: "token replaced", outcome: "done" });
      updateCdpUrl(options.writeCdpUrl === false ? undefined : relay.clientUrl);
      appWire.disconnectAuthenticated(reason);
      consoleWire.disconnectAuthenticated(reason);
      relay.disconnectClients(reason);
      // Requests and streams that were admitted with the old token. WebSockets are not among them.
      hub.server.closeAllConnections();
    },
    onPairingKey() {
      const reason = "the pairing key was replaced";
      audit.write({ who: "hub", what: "pairing key replaced", outcome: "done" });
      panel.clear();
      consoleWire.disconnectPaired(reason);
      relay.disconnectExtension(reason);
    },
  });
}
