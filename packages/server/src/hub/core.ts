import { homeFolder } from "@debug-bridge/client/files";
import { BridgeError, isLoopbackName } from "@debug-bridge/protocol";
import { AuditLog } from "../audit.js";
import { Cluster } from "../bus/cluster.js";
import { openBus } from "../bus/connect-bus.js";
import { type ApprovalPort, Policy } from "../dispatch/policy.js";
import { Feed } from "../http/feed.js";
import { PictureStore } from "../pictures/picture-store.js";
import { Browsers } from "../providers/browsers/browsers.js";
import { checkChromeOption } from "../providers/chrome/find-browser.js";
import { joinAsApp } from "../providers/in-process/join-as-app.js";
import type { Relay } from "../relay/relay.js";
import type { GateOptions } from "../security/gate.js";
import { Secrets } from "../security/secrets.js";
import { Sessions } from "../sessions/registry.js";
import { TimelineReaders } from "../timeline/readers.js";
import { Recorder } from "../timeline/recorder.js";
import { KeptChains } from "../why/kept-chains.js";
import { AppWire } from "../wires/app.js";
import type { HubOptions } from "./options.js";
import { sessionHost } from "./session-host.js";

/** Parts that are opened after the core, which asks for them when it needs them. */
interface Later {
  relay?: Relay;
  approvals?: ApprovalPort;
}

/** A hub without its ports: sessions, the policy, timelines, and what they are written to. */
export type Core = Awaited<ReturnType<typeof openCore>>;

export async function openCore(options: HubOptions) {
  const home = homeFolder(options.home);
  const host = options.host ?? "127.0.0.1";
  const readOnly = options.readOnly ?? false;
  assertPossible(host, options);
  const bus = await openBus(options);
  const cluster = bus && new Cluster(bus, { readOnly });
  const secrets = new Secrets(home);
  const gate = gateOf(secrets, host, options);
  const audit = new AuditLog(home);
  const recorder = new Recorder(home, options.record ?? false);
  const pictures = new PictureStore(recorder);
  const feed = new Feed(cluster && ((session) => cluster.describe(session)));
  const later: Later = {};
  const policy = new Policy({
    readOnly,
    person: () => later.relay?.person,
    approvals: () => later.approvals,
  });
  const chains = new KeptChains();
  const sessions: Sessions = new Sessions(
    sessionHost({
      ...{ policy, audit, feed, recorder, pictures, chains, cluster },
      all: () => sessions.all(),
      render: options.renderPage,
    }),
  );
  const browsers = new Browsers(bus, options.browsers, (id, join) => joinAsApp(sessions, id, join));
  return {
    ...{ home, host, readOnly, bus, cluster, secrets, gate, audit, recorder, pictures, feed, later, policy },
    ...{ chains, sessions, browsers },
    timelines: new TimelineReaders(sessions, home, recorder),
    appWire: openAppWire(sessions, audit, host, options),
    onRefused(what: string, error: BridgeError): void {
      audit.refuse({ who: "http", what, outcome: `${error.code}: ${error.message}` });
      options.onRefused?.(what, error);
    },
  };
}

function assertPossible(host: string, { auth, chrome }: HubOptions): void {
  if (auth === "none" && !isLoopbackName(host))
    throw new BridgeError(
      "invalid_message",
      "--auth none works on loopback only; leave out --host or --auth none",
    );
  if (chrome !== undefined) checkChromeOption(chrome);
}

function gateOf(secrets: Secrets, host: string, options: HubOptions): GateOptions {
  return {
    get token() {
      return secrets.token;
    },
    auth: options.auth ?? "token",
    host,
    allowOrigins: options.allowOrigins ?? [],
    allowHosts: options.allowHosts ?? [],
  };
}

function openAppWire(sessions: Sessions, audit: AuditLog, host: string, options: HubOptions): AppWire {
  return new AppWire({
    sessions,
    appsNeedToken: !isLoopbackName(host),
    onRefused: (session, role, error) => {
      const outcome = `${error.code}: ${error.message}`;
      audit.refuse({ who: role, what: "message", session, outcome });
      options.onRefused?.(`message of ${role}`, error);
    },
  });
}
