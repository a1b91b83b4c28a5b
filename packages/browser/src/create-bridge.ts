import {
  createCaptureHalf,
  natives,
  type TelemetryBody,
  type ToolFunction,
} from "@debug-bridge/page/capture";
import { APP_PROTOCOL_VERSION } from "@debug-bridge/protocol";
import { Connection } from "./connection.js";
import { DomHalfLoader, type LoadDomHalf } from "./dom-loader.js";
import { KeptOutcomes, tabStorage } from "./kept-outcomes.js";
import { createMark } from "./mark.js";
import { checkOptions, type DebugBridgeOptions, endpoint, subprotocols } from "./options.js";
import { Outbox } from "./outbox.js";
import { productionReason, surroundings } from "./production.js";
import { followWebMcp } from "./web-mcp.js";

/** An app's side of the bridge. */
export interface DebugBridge {
  /** Opens the connection and keeps it open. In production it does nothing unless `allowProduction` is set. */
  connect(): void;
  /** Closes the connection and takes every hook out of the page. */
  disconnect(): void;
  /** Tells agents the state of a part of the app. */
  sendCustomState(scope: string, state: unknown): void;
  /**
   * Offers a function of the app to agents, who call it by name.
   *
   * @returns takes the tool back
   * @example bridge.registerTool("addToCart", { type: "object", properties: { sku: { type: "string" } } }, ({ sku }) => cart.add(sku))
   */
  registerTool(name: string, schema: Record<string, unknown>, run: ToolFunction): () => void;
}

/** Makes a bridge whose larger half comes from `load`, when there is someone to talk to. */
export function createBridge(options: DebugBridgeOptions, load: LoadDomHalf): DebugBridge {
  checkOptions(options);
  const { sessionId, appName, appVersion } = options;
  const refused = options.allowProduction ? undefined : productionReason(surroundings());
  if (refused !== undefined) return refusingBridge(refused);

  const instanceId = randomId();
  const outbox: Outbox = new Outbox({
    sessionId,
    instanceId,
    resync: () => dom.loaded?.resync(),
    onDrop: (bytes) => capture.guard.drop(bytes),
  });
  const { url: _url, headers: _headers, mark: _mark, allowProduction: _allow, ...captured } = options;
  const capture = createCaptureHalf({ ...captured, emit: (message) => outbox.put(message) });
  const dom = new DomHalfLoader(capture, load);
  const { window, guard } = capture;

  const hello = (): TelemetryBody => ({
    type: "hello",
    protocolVersion: APP_PROTOCOL_VERSION,
    ...(appName ? { appName } : {}),
    ...(appVersion ? { appVersion } : {}),
    url: capture.masker.url(window.location.href),
    userAgent: window.navigator.userAgent,
    title: window.document.title,
    kind: "app",
    instanceId,
  });
  const capabilities = (): TelemetryBody => {
    const tools = capture.tools.list();
    return {
      type: "capabilities",
      protocolVersion: APP_PROTOCOL_VERSION,
      capabilities: capture.capabilities(),
      ...(tools.length > 0 ? { tools } : {}),
    };
  };

  const mark = createMark(
    window.document,
    (host) => capture.ours.add(host),
    () => bridge.disconnect(),
  );
  let deltas = false;
  const outcomes = new KeptOutcomes(tabStorage(window));
  const connection = new Connection({
    url: endpoint(options.url, sessionId),
    protocols: subprotocols(options.headers),
    sessionId,
    instanceId,
    outbox,
    greeting: () => [hello(), capabilities()],
    onReady: (isCurrent) => {
      dom.get().then(
        (half) => {
          if (!isCurrent()) return;
          half.setDeltas(deltas);
          half.announce();
        },
        (error: unknown) => capture.emit({ type: "error", message: String(error) }),
      );
    },
    onLost: () => {
      dom.loaded?.pause();
      deltas = false;
      mark.remove();
    },
    onAgents: (count, understood) => {
      deltas = understood;
      dom.loaded?.setDeltas(understood);
      if (options.mark !== false) guard.run(() => mark.show(count));
    },
    run: (command, signal, isOpen) => {
      const { idempotencyKey } = command;
      if (idempotencyKey === undefined) return dom.run(command, signal);
      // The same key may come again over the next connection, so a broken one must not end the command.
      return outcomes.run(idempotencyKey, () => {
        const own = new AbortController();
        signal.addEventListener("abort", () => isOpen() && own.abort());
        return dom.run(command, own.signal);
      });
    },
  });

  let unhookTools: (() => void) | undefined;
  const start = (): void => {
    if (unhookTools) return;
    capture.start();
    unhookTools = followWebMcp(window, capture.tools);
  };
  capture.tools.onChange = () => outbox.put(capabilities());
  guard.run(start);

  const bridge: DebugBridge = {
    connect() {
      guard.run(() => {
        start();
        dom.get().catch(() => {});
        connection.open();
      });
    },
    disconnect() {
      guard.run(() => {
        connection.close();
        mark.remove();
        unhookTools?.();
        unhookTools = undefined;
        dom.stop();
        capture.stop();
      });
    },
    sendCustomState: (scope, state) => capture.sendState(scope, state),
    registerTool(name, schema, run) {
      const { description } = schema as { description?: unknown };
      const tool = { name, inputSchema: schema, ...(typeof description === "string" ? { description } : {}) };
      return capture.tools.register(tool, run);
    },
  };
  return bridge;
}

/** In production nothing is hooked, nothing is sent, and the app's own calls still work. */
function refusingBridge(reason: string): DebugBridge {
  return {
    connect() {
      console.info(
        `debug bridge: not connecting, because ${reason}. Set allowProduction: true to connect anyway`,
      );
    },
    disconnect() {},
    sendCustomState() {},
    registerTool: () => () => {},
  };
}

function randomId(): string {
  const { crypto } = globalThis;
  return crypto?.randomUUID?.() ?? `${natives.epoch().toString(36)}-${Math.random().toString(36).slice(2)}`;
}
