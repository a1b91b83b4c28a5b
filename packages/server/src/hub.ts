import { announceHub, homeFolder } from "@debug-bridge/client/files";
import { BridgeError, type ChatProvider, type Transport } from "@debug-bridge/protocol";
import { getRequestListener } from "@hono/node-server";
import { AuditLog } from "./audit.js";
import type { Bus } from "./bus/bus.js";
import { Cluster } from "./bus/cluster.js";
import { openBus } from "./bus/connect-bus.js";
import type { NatsBusOptions } from "./bus/nats/nats-bus.js";
import { openChats } from "./chats/open-chats.js";
import { SharedApprovals } from "./chats/shared-approvals.js";
import { CdpCommands } from "./dispatch/cdp-commands.js";
import { Policy } from "./dispatch/policy.js";
import { type Asset, httpApp, type RouteHandler } from "./http/app.js";
import { Feed } from "./http/feed.js";
import { keepsOf } from "./http/keeps.js";
import { type Listener, listen } from "./http/listener.js";
import type { LocateSource } from "./http/places.js";
import type { ReadSource } from "./http/source.js";
import { sessionHost } from "./hub-session-host.js";
import type { RenderPage } from "./pictures/app-picture.js";
import { PictureKeeper } from "./pictures/picture-keeper.js";
import { type BrowserOffer, Browsers } from "./providers/browsers/browsers.js";
import type { ChromeState } from "./providers/chrome/chrome-connection.js";
import { checkChromeOption } from "./providers/chrome/find-browser.js";
import { type JoinOptions, joinAsApp } from "./providers/in-process/join-as-app.js";
import { TabSessions } from "./providers/tabs/tab-sessions.js";
import { Relay } from "./relay/relay.js";
import type { ClientMode } from "./relay/wire/client-slot.js";
import { type GateOptions, isLoopbackName } from "./security/gate.js";
import { PanelKeys } from "./security/panel.js";
import { Secrets } from "./security/secrets.js";
import { type ConnectClientOptions, HubConnection } from "./sessions/hub-connection.js";
import { Sessions } from "./sessions/registry.js";
import { TimelineReaders } from "./timeline/readers.js";
import { Recorder } from "./timeline/recorder.js";
import { VERSION } from "./version.js";
import { KeptChains } from "./why/kept-chains.js";
import { AgentWire } from "./wires/agent/wire.js";
import { AppWire } from "./wires/app.js";
import type { AgentTarget } from "./wires/app-agent.js";
import { upgrade } from "./wires/app-upgrade.js";
import { ConsoleWire } from "./wires/console/server.js";
import { CodeWindow } from "./wires/pairing/code-window.js";

export interface HubOptions {
  /** Folder for the token, the pairing key, the audit log and recordings; `$DEBUG_BRIDGE_HOME`, else `~/.debug-bridge`. */
  readonly home?: string;
  /** Loopback by default; with any other host every role needs the token. */
  readonly host?: string;
  readonly port?: number;
  readonly consolePort?: number;
  readonly relayPort?: number;
  /** Whether several CDP clients may be connected to the relay at once, which is the default. */
  readonly clientMode?: ClientMode;
  /** Whether other programs find this hub through the files in its home; on unless it is false. */
  readonly announce?: boolean;
  /** Writes the address for CDP clients to `cdp-url` in the home, unless it is false. */
  readonly writeCdpUrl?: boolean;
  /** Creates a session for every tab that agents may use, unless it is false or `auth` is "none". */
  readonly driveTabs?: boolean;
  /** A file that gets the traffic of the relay as JSON lines. */
  readonly cdpLog?: string;
  /** Connects to a browser that offers remote debugging, without the extension: `auto`, or its address. */
  readonly chrome?: string;
  /** What became of the connection to that browser. */
  readonly onChrome?: (state: ChromeState) => void;
  readonly auth?: "token" | "none";
  readonly allowOrigins?: readonly string[];
  /** Names in lower case by which the hub may be reached, besides loopback ones and the address that it listens on. */
  readonly allowHosts?: readonly string[];
  readonly readOnly?: boolean;
  /** Appends every event to the session's `events.jsonl`. */
  readonly record?: boolean;
  /** Called for everything that is refused; the audit log has it in any case. */
  readonly onRefused?: (what: string, error: BridgeError) => void;
  /** Further roots whose agents are followed, besides the home. */
  readonly agentDirs?: readonly string[];
  /** Files that the hub serves, by path. */
  readonly assets?: ReadonlyMap<string, Asset>;
  /** The agents that people can talk to in chats. */
  readonly chatProviders?: readonly ChatProvider[];
  /** Reads code around a place in a script of a page, for people who look at its errors. */
  readonly readSource?: ReadSource;
  /** Finds where code of a page was written, for the same. */
  readonly locateSource?: LocateSource;
  /** Draws the page of an app that no browser of ours shows; without it such an app has no picture. */
  readonly renderPage?: RenderPage | undefined;
  /** What this hub shares its sessions over with other hubs; nothing by default. */
  readonly bus?: Bus | NatsBusOptions;
  /** Browsers that this hub starts for clients of all hubs of its bus; none by default. */
  readonly browsers?: BrowserOffer | undefined;
  /** Further HTTP routes, by path; they need the token. */
  readonly routes?: ReadonlyMap<string, RouteHandler>;
}

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

export const DEFAULT_PORTS = { hub: 4000, console: 9223, relay: 19222 } as const;

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
  const home = homeFolder(options.home);
  const host = options.host ?? "127.0.0.1";
  if (options.auth === "none" && !isLoopbackName(host)) {
    throw new BridgeError(
      "invalid_message",
      "--auth none works on loopback only; leave out --host or --auth none",
    );
  }
  if (options.chrome !== undefined) checkChromeOption(options.chrome);
  const bus = await openBus(options);
  const cluster = bus && new Cluster(bus, { readOnly: options.readOnly ?? false });
  const secrets = new Secrets(home);
  const gate: GateOptions = {
    get token() {
      return secrets.token;
    },
    auth: options.auth ?? "token",
    host,
    allowOrigins: options.allowOrigins ?? [],
    allowHosts: options.allowHosts ?? [],
  };
  const audit = new AuditLog(home);
  const recorder = new Recorder(home, options.record ?? false);
  const pictures = new PictureKeeper(recorder);
  const feed = new Feed(cluster && ((session) => cluster.describe(session)));
  const policy = new Policy({
    readOnly: options.readOnly ?? false,
    person: () => relay?.person,
    approvals: () => approvals,
  });
  let relay: Relay | undefined;
  const chains = new KeptChains();
  const sessions = new Sessions(
    sessionHost({
      ...{ policy, audit, feed, recorder, pictures, chains, cluster },
      all: () => sessions.all(),
      render: options.renderPage,
    }),
  );
  const timelines = new TimelineReaders(sessions, home, recorder);
  const appWire = openAppWire(sessions, audit, options);

  const browsers = new Browsers(bus, options.browsers, (id, join) => joinAsApp(sessions, id, join));
  if (cluster) opened.push(cluster);
  const listeners = await bindAll(host, options);
  opened.push(...listeners);
  const [hub, console, relayListener] = listeners;
  const onRefused = (what: string, error: BridgeError): void => {
    audit.refuse({ who: "http", what, outcome: `${error.code}: ${error.message}` });
    options.onRefused?.(what, error);
  };
  const pairingKey = (): string => secrets.pairingKey;
  const codeWindow = new CodeWindow(pairingKey);
  const name = host.includes(":") ? `[${host}]` : host;
  const url = `http://${name}:${hub.port}`;
  sessions.hubUrl = url;
  const panel = new PanelKeys(pairingKey, `127.0.0.1:${hub.port}`);
  const chats = openChats({ home, url, sessions, policy, audit, providers: options.chatProviders ?? [] });
  const approvals = cluster
    ? new SharedApprovals(chats.approvals, (runId, site) => cluster.approvals.ask(runId, site))
    : chats.approvals;
  const http = httpApp({
    ...{
      gate,
      home,
      url,
      sessions,
      feed,
      timelines,
      recorder,
      pictures,
      chains,
      recordsAll: options.record ?? false,
      codeWindow,
      chats,
      panel,
      browsers,
      policy,
      version: VERSION,
      onRefused,
    },
    readOnly: options.readOnly ?? false,
    onAudit: (record) => audit.write(record),
    readSource: options.readSource,
    locateSource: options.locateSource,
    shared: { person: () => relay?.person, tabs: () => relay?.tabs() ?? [] },
    sharing: {
      waitingClients: () => relay?.waitingClients() ?? [],
      askForTab: (client) => relay?.askForTab(client),
    },
    assets: options.assets ?? new Map(),
    routes: options.routes ?? new Map(),
    others: cluster,
  });
  hub.server.on("request", getRequestListener(http.fetch));
  hub.server.on("upgrade", (request, socket, head) =>
    upgrade(request, socket, head, gate, appWire, cluster, onRefused),
  );
  const consoleWire = new ConsoleWire(console.server, {
    ...{ sessions, gate, pairingKey, port: console.port, version: VERSION, onRefused },
  });
  relay = new Relay(relayListener.server, {
    ...{ gate, home, pairingKey, codeWindow, port: relayListener.port, version: VERSION, onRefused },
    ...relayOptions(options),
    onWaiting: (clients) => feed.waitingChanged(clients),
    others: cluster?.relays,
    dashboard: `${url}/`,
    commands: new CdpCommands(sessions, policy, (record) => audit.write(record)),
    onAudit: (who, what, outcome, target) =>
      audit.write({ who, what, outcome, ...(target === undefined ? {} : { target }) }),
  });

  const tabSessions =
    // Without a token everybody on this machine is an agent, and tabs hold the person's logins.
    options.driveTabs === false || gate.auth === "none"
      ? undefined
      : new TabSessions(relay, sessions, {
          enableEval: true,
          onFailed: (sessionId, error) => options.onRefused?.(`driving ${sessionId}`, error),
        });
  const agentWire = new AgentWire([home, ...(options.agentDirs ?? [])], sessions);

  const joining = cluster?.start({
    ...{ sessions, appWire, feed, browsers },
    ...{ relay, keeps: keepsOf(home, chats), runs: chats.approvals },
    answer: (request) => http.fetch(request, { fromHub: true }),
    token: () => secrets.token,
  });
  await joining;

  browsers.begin();

  let nextClient = 1;
  const announcement =
    options.announce === false
      ? undefined
      : announceHub(home, {
          url,
          ports: { hub: hub.port, console: console.port, relay: relayListener.port },
          version: VERSION,
          ...(options.writeCdpUrl === false ? {} : { cdpUrl: relay.clientUrl }),
        });
  const ended = "the token was replaced; read the new one from the hub's home";
  secrets.follow({
    onToken() {
      audit.write({ who: "hub", what: "token replaced", outcome: "done" });
      announcement?.update(options.writeCdpUrl === false ? undefined : relay?.clientUrl);
      appWire.disconnectAuthenticated(ended);
      consoleWire.disconnectAuthenticated(ended);
      relay?.disconnectClients(ended);
      // Requests and streams that were admitted with the old token. WebSockets are not among them.
      hub.server.closeAllConnections();
    },
    onPairingKey() {
      audit.write({ who: "hub", what: "pairing key replaced", outcome: "done" });
      const reason = "the pairing key was replaced";
      panel.clear();
      consoleWire.disconnectPaired(reason);
      relay?.disconnectExtension(reason);
    },
  });
  return {
    url,
    consoleUrl: `ws://127.0.0.1:${console.port}`,
    relayUrl: `ws://127.0.0.1:${relayListener.port}`,
    tokenFile: secrets.tokenFile,
    name: bus?.hub,
    get token() {
      return secrets.token;
    },
    relay,
    joinAsApp: (sessionId, join = {}) => joinAsApp(sessions, sessionId, join),
    joinAsAgent: (target) =>
      cluster ? cluster.joinAsAgent(target, { appWire, sessions }) : appWire.joinAsAgent(target),
    connectClient: ({ name, kind = "client" }) =>
      new HubConnection(`${kind}-${nextClient++}:${name.slice(0, 100)}`, sessions, policy),
    async close() {
      announcement?.withdraw();
      await Promise.all([chats.runs.close(), browsers.close()]);
      secrets.close();
      codeWindow.close();
      agentWire.close();
      tabSessions?.close();
      appWire.close();
      consoleWire.close();
      relay.close();
      sessions.close();
      timelines.close();
      await cluster?.close();
      await Promise.all(listeners.map((listener) => listener.close()));
      await Promise.all([audit.settled(), recorder.close()]);
    },
  };
}

function openAppWire(sessions: Sessions, audit: AuditLog, options: HubOptions): AppWire {
  return new AppWire({
    sessions,
    appsNeedToken: !isLoopbackName(options.host ?? "127.0.0.1"),
    onRefused: (session, role, error) => {
      const outcome = `${error.code}: ${error.message}`;
      audit.refuse({ who: role, what: "message", session, outcome });
      options.onRefused?.(`message of ${role}`, error);
    },
  });
}

function relayOptions({ clientMode, cdpLog, chrome, onChrome }: HubOptions) {
  return {
    ...(chrome === undefined ? {} : { chrome: { chrome, onState: onChrome ?? (() => {}) } }),
    ...(clientMode === undefined ? {} : { clientMode }),
    ...(cdpLog === undefined ? {} : { cdpLog }),
  };
}

/** Binds all three ports or none. */
async function bindAll(host: string, options: HubOptions): Promise<[Listener, Listener, Listener]> {
  const bound: Listener[] = [];
  try {
    bound.push(await listen(host, options.port ?? DEFAULT_PORTS.hub, "the hub", "--port"));
    bound.push(
      await listen(
        "127.0.0.1",
        options.consolePort ?? DEFAULT_PORTS.console,
        "the console wire",
        "--console-port",
      ),
    );
    bound.push(
      await listen("127.0.0.1", options.relayPort ?? DEFAULT_PORTS.relay, "the relay", "--relay-port"),
    );
    return bound as [Listener, Listener, Listener];
  } catch (thrown) {
    await Promise.all(bound.map((listener) => listener.close()));
    throw thrown;
  }
}
