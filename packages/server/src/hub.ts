import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { announceHub, homeFolder } from "@debug-bridge/client/files";
import { BridgeError, type ChatProvider, type Transport } from "@debug-bridge/protocol";
import { AuditLog } from "./audit.js";
import { openChats } from "./chats/open-chats.js";
import { CdpCommands } from "./dispatch/cdp-commands.js";
import type { CommandAudit } from "./dispatch/command-dispatcher.js";
import { Policy } from "./dispatch/policy.js";
import { type Asset, httpListener, type RouteHandler } from "./http/app.js";
import { Feed } from "./http/feed.js";
import { type Listener, listen } from "./http/listener.js";
import { gateRequest, refuseUpgrade, requestUrl } from "./http/reply.js";
import { type JoinOptions, joinAsApp } from "./providers/in-process/join-as-app.js";
import { TabSessions } from "./providers/tabs/tab-sessions.js";
import { Relay } from "./relay/relay.js";
import type { ClientMode } from "./relay/wire/client-slot.js";
import { admit, type GateOptions, hasToken, isLoopbackName } from "./security/gate.js";
import { PanelKeys } from "./security/panel.js";
import { Secrets } from "./security/secrets.js";
import { type ConnectClientOptions, HubConnection } from "./sessions/hub-connection.js";
import { Sessions } from "./sessions/registry.js";
import type { Session, SessionHost } from "./sessions/session.js";
import { Recorder } from "./timeline/recorder.js";
import type { Entry } from "./timeline/timeline.js";
import { VERSION } from "./version.js";
import { AgentWire } from "./wires/agent/wire.js";
import { AppWire } from "./wires/app.js";
import type { AgentTarget } from "./wires/app-agent.js";
import { readTarget } from "./wires/app-target.js";
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
  readonly auth?: "token" | "none";
  readonly allowOrigins?: readonly string[];
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
  /** Further HTTP routes, by path; they need the token. */
  readonly routes?: ReadonlyMap<string, RouteHandler>;
}

export interface Hub {
  /** `http://127.0.0.1:4000` */
  readonly url: string;
  readonly consoleUrl: string;
  readonly relayUrl: string;
  readonly tokenFile: string;
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
  const home = homeFolder(options.home);
  const host = options.host ?? "127.0.0.1";
  if (options.auth === "none" && !isLoopbackName(host)) {
    throw new BridgeError(
      "invalid_message",
      "--auth none works on loopback only; leave out --host or --auth none",
    );
  }
  const secrets = new Secrets(home);
  const gate: GateOptions = {
    get token() {
      return secrets.token;
    },
    auth: options.auth ?? "token",
    host,
    allowOrigins: options.allowOrigins ?? [],
  };
  const audit = new AuditLog(home);
  const recorder = options.record ? new Recorder(home) : undefined;
  const feed = new Feed();
  const policy = new Policy({
    readOnly: options.readOnly ?? false,
    person: () => relay?.person,
    approvals: () => chats.approvals,
  });
  let relay: Relay | undefined;
  const sessions = new Sessions(sessionHost(policy, audit, feed, recorder));
  const appWire = openAppWire(sessions, audit, options);

  const listeners = await bindAll(host, options);
  const [hub, console, relayListener] = listeners;
  const onRefused = (what: string, error: BridgeError): void => {
    audit.refuse({ who: "http", what, outcome: `${error.code}: ${error.message}` });
    options.onRefused?.(what, error);
  };
  const pairingKey = (): string => secrets.pairingKey;
  const codeWindow = new CodeWindow(pairingKey);
  const name = host.includes(":") ? `[${host}]` : host;
  const url = `http://${name}:${hub.port}`;
  const panel = new PanelKeys(pairingKey, `127.0.0.1:${hub.port}`);
  const chats = openChats({ home, url, sessions, policy, audit, providers: options.chatProviders ?? [] });
  hub.server.on(
    "request",
    httpListener({
      ...{ gate, sessions, feed, codeWindow, chats, panel, version: VERSION, onRefused },
      readOnly: options.readOnly ?? false,
      sharing: {
        waitingClients: () => relay?.waitingClients() ?? [],
        askForTab: (client) => relay?.askForTab(client),
      },
      assets: options.assets ?? new Map(),
      routes: options.routes ?? new Map(),
    }),
  );
  hub.server.on("upgrade", (request, socket, head) =>
    upgrade(request, socket, head, gate, appWire, onRefused),
  );
  const consoleWire = new ConsoleWire(console.server, {
    ...{ sessions, gate, pairingKey, port: console.port, version: VERSION, onRefused },
  });
  relay = new Relay(relayListener.server, {
    ...{ gate, home, pairingKey, codeWindow, port: relayListener.port, version: VERSION, onRefused },
    ...relayOptions(options),
    onWaiting: (clients) => feed.waitingChanged(clients),
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
    get token() {
      return secrets.token;
    },
    relay,
    joinAsApp: (sessionId, join = {}) => joinAsApp(sessions, sessionId, join),
    joinAsAgent: (target) => appWire.joinAsAgent(target),
    connectClient: ({ name, kind = "client" }) =>
      new HubConnection(`${kind}-${nextClient++}:${name.slice(0, 100)}`, sessions, policy),
    async close() {
      announcement?.withdraw();
      await chats.runs.close();
      secrets.close();
      codeWindow.close();
      agentWire.close();
      tabSessions?.close();
      appWire.close();
      consoleWire.close();
      relay.close();
      sessions.close();
      await Promise.all(listeners.map((listener) => listener.close()));
      await Promise.all([audit.settled(), recorder?.close()]);
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

function relayOptions({ clientMode, cdpLog }: HubOptions) {
  return {
    ...(clientMode === undefined ? {} : { clientMode }),
    ...(cdpLog === undefined ? {} : { cdpLog }),
  };
}

function sessionHost(
  policy: Policy,
  audit: AuditLog,
  feed: Feed,
  recorder: Recorder | undefined,
): SessionHost {
  return {
    policy,
    version: VERSION,
    onEntry(session: Session, entry: Entry) {
      if (!session.isFollowed) recorder?.append(session, entry);
      feed.entry(session, entry);
    },
    onAudit: (session: Session, entry: CommandAudit) => audit.write({ ...entry, session: session.id }),
    onPeersChanged: (session: Session) => feed.peersChanged(session),
    onForgotten: (session: Session) => recorder?.end(session),
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

function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  gate: GateOptions,
  appWire: AppWire,
  onRefused: (what: string, error: BridgeError) => void,
): void {
  socket.on("error", () => socket.destroy());
  const url = requestUrl(request);
  try {
    if (url.pathname !== "/debug")
      throw new BridgeError("session_not_found", `no wire is at ${url.pathname}; connect to /debug`);
    const target = readTarget(url);
    const asked = gateRequest(request, url);
    admit(asked, target.role, gate);
    const isOpen = gate.auth === "token" && !hasToken(asked, gate);
    appWire.upgrade(request, socket, head, target, { origin: asked.origin, isOpen });
  } catch (thrown) {
    const error = BridgeError.from(thrown);
    onRefused(`upgrade ${url.pathname}`, error);
    refuseUpgrade(socket, error);
  }
}
