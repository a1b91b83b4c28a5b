import { getRequestListener } from "@hono/node-server";
import { SharedApprovals } from "../chats/approvals/shared-approvals.js";
import { openChats } from "../chats/store/open-chats.js";
import { CdpCommands } from "../dispatch/cdp-commands.js";
import { httpApp } from "../http/app.js";
import { type Listener, listen } from "../http/listener.js";
import { Relay } from "../relay/relay.js";
import { PanelKeys } from "../security/panel.js";
import { VERSION } from "../version.js";
import { upgrade } from "../wires/app-upgrade.js";
import { ConsoleWire } from "../wires/console/server.js";
import { CodeWindow } from "../wires/pairing/code-window.js";
import type { Core } from "./core.js";
import { DEFAULT_PORTS, type HubOptions } from "./options.js";

export interface Listeners {
  readonly hub: Listener;
  readonly console: Listener;
  readonly relay: Listener;
}

/** Binds all three ports or none. */
export async function bindAll(host: string, options: HubOptions): Promise<Listeners> {
  const { port = DEFAULT_PORTS.hub, consolePort, relayPort } = options;
  const bound: Listener[] = [];
  const bind = async (...where: Parameters<typeof listen>): Promise<Listener> => {
    const listener = await listen(...where);
    bound.push(listener);
    return listener;
  };
  try {
    return {
      hub: await bind(host, port, "the hub", "--port"),
      console: await bind(
        "127.0.0.1",
        consolePort ?? DEFAULT_PORTS.console,
        "the console wire",
        "--console-port",
      ),
      relay: await bind("127.0.0.1", relayPort ?? DEFAULT_PORTS.relay, "the relay", "--relay-port"),
    };
  } catch (thrown) {
    await Promise.all(bound.map((listener) => listener.close()));
    throw thrown;
  }
}

/** What serves the ports: the HTTP API with the app wire, the console wire, and the relay. */
export type Endpoints = ReturnType<typeof openEndpoints>;

export function openEndpoints(core: Core, listeners: Listeners, options: HubOptions) {
  const { home, host, cluster, secrets, gate, audit, feed, later, policy, sessions, onRefused } = core;
  const pairingKey = (): string => secrets.pairingKey;
  const codeWindow = new CodeWindow(pairingKey);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${listeners.hub.port}`;
  sessions.hubUrl = url;
  const panel = new PanelKeys(pairingKey, `127.0.0.1:${listeners.hub.port}`);
  const chats = openChats({ home, url, sessions, policy, audit, providers: options.chatProviders ?? [] });
  later.approvals = cluster
    ? new SharedApprovals(chats.approvals, (runId, site) => cluster.approvals.ask(runId, site))
    : chats.approvals;
  const http = openHttp(core, options, { url, codeWindow, chats, panel });
  listeners.hub.server.on("request", getRequestListener(http.fetch));
  listeners.hub.server.on("upgrade", (request, socket, head) =>
    upgrade(request, socket, head, gate, core.appWire, cluster, onRefused),
  );
  const common = { gate, pairingKey, version: VERSION, onRefused };
  const consoleWire = new ConsoleWire(listeners.console.server, {
    ...common,
    sessions,
    port: listeners.console.port,
  });
  const relay = new Relay(listeners.relay.server, {
    ...{ ...common, home, codeWindow, port: listeners.relay.port },
    ...relayOptions(options),
    onWaiting: (clients) => feed.waitingChanged(clients),
    others: cluster?.relays,
    dashboard: `${url}/`,
    commands: new CdpCommands(sessions, policy, (record) => audit.write(record)),
    onAudit: (who, what, outcome, target) =>
      audit.write({ who, what, outcome, ...(target === undefined ? {} : { target }) }),
  });
  later.relay = relay;
  return { url, codeWindow, panel, chats, http, consoleWire, relay };
}

interface Served {
  readonly url: string;
  readonly codeWindow: CodeWindow;
  readonly chats: ReturnType<typeof openChats>;
  readonly panel: PanelKeys;
}

function openHttp(core: Core, options: HubOptions, served: Served): ReturnType<typeof httpApp> {
  const { home, readOnly, cluster, gate, audit, recorder, pictures, feed, later, policy, chains } = core;
  const { sessions, timelines, browsers, onRefused } = core;
  return httpApp({
    ...{ gate, home, sessions, feed, timelines, recorder, pictures, chains, browsers, policy, readOnly },
    ...served,
    ...{ version: VERSION, onRefused, others: cluster },
    recordsAll: options.record ?? false,
    onAudit: (record) => audit.write(record),
    readSource: options.readSource,
    locateSource: options.locateSource,
    shared: { person: () => later.relay?.person, tabs: () => later.relay?.tabs() ?? [] },
    sharing: {
      waitingClients: () => later.relay?.waitingClients() ?? [],
      askForTab: (client) => later.relay?.askForTab(client),
    },
    assets: options.assets ?? new Map(),
    routes: options.routes ?? new Map(),
  });
}

function relayOptions({ clientMode, cdpLog, chrome, onChrome }: HubOptions) {
  return {
    ...(chrome === undefined ? {} : { chrome: { chrome, onState: onChrome ?? (() => {}) } }),
    ...(clientMode === undefined ? {} : { clientMode }),
    ...(cdpLog === undefined ? {} : { cdpLog }),
  };
}
