import {
  createTelemetryCapture,
  platform,
  type TelemetryBody,
  type ToolFunction,
} from "@debug-bridge/page/capture";
import { APP_PROTOCOL_VERSION } from "@debug-bridge/protocol";
import { Connection } from "./connection/connection.js";
import { followPageCache } from "./connection/page-cache.js";
import { TelemetryBuffer } from "./connection/telemetry-buffer.js";
import { ControllerLoader, type LoadScript, type LoadSecondHalf } from "./loading/controller-loader.js";
import { checkOptions, type DebugBridgeOptions, endpoint, subprotocols } from "./options.js";
import { productionReason } from "./production.js";
import { followWebMcp } from "./web-mcp.js";

/** An app's side of the bridge. */
export interface DebugBridge {
  /** Opens the connection and keeps it open. In production it does nothing unless `allowProduction` is set. */
  connect(): void;
  /** Closes the connection and removes every hook from the page. */
  disconnect(): void;
  /** Sends the state of a part of the app to agents. */
  sendCustomState(scope: string, state: unknown): void;
  /**
   * Offers a function of the app to agents, who call it by name.
   *
   * @returns takes the tool back
   * @example bridge.registerTool("addToCart", { type: "object", properties: { sku: { type: "string" } } }, ({ sku }) => cart.add(sku))
   */
  registerTool(name: string, schema: Record<string, unknown>, run: ToolFunction): () => void;
}

/** Creates a bridge whose larger part comes from `load`, once there is a hub to connect to. */
export function createBridge(options: DebugBridgeOptions, load: LoadSecondHalf): DebugBridge {
  checkOptions(options);
  const { sessionId, appName, appVersion } = options;
  const refused = options.allowProduction ? undefined : productionReason(globalThis.location?.hostname ?? "");
  if (refused !== undefined) return refusingBridge(refused);

  const instanceId = randomId();
  const telemetryBuffer: TelemetryBuffer = new TelemetryBuffer({
    sessionId,
    instanceId,
    resync: () => loader.loaded?.resync(),
    onDrop: (bytes) => capture.guard.drop(bytes),
  });
  const { url: _url, headers: _headers, mark: _mark, allowProduction: _allow, ...captured } = options;
  const capture = createTelemetryCapture({
    ...captured,
    instanceId,
    emit: (message) => telemetryBuffer.put(message),
  });
  const loader = new ControllerLoader(load, ({ createSecondHalf }) =>
    createSecondHalf(
      capture,
      { sessionId, instanceId, mark: options.mark !== false, onStop: () => bridge.disconnect() },
      load as LoadScript,
    ),
  );
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

  let agents = 0;
  let deltas = false;
  const connection = new Connection({
    // A plugin may learn later where the hub is.
    get urls() {
      return [options.url].flat().map((url) => endpoint(url, sessionId));
    },
    protocols: subprotocols(options.headers),
    instanceId,
    telemetryBuffer,
    greeting: () => [hello(), capabilities()],
    onReady: (isCurrent) => {
      loader.get().then(
        (half) => {
          if (!isCurrent()) return;
          half.setAgents(agents, deltas);
          half.announce();
        },
        (error: unknown) => capture.emit({ type: "error", message: String(error) }),
      );
    },
    onLost: (wire) => {
      loader.loaded?.lose(wire);
      agents = 0;
      deltas = false;
    },
    onMissing: () =>
      loader.get().then(
        (half) => half.explain(options.url),
        () => {},
      ),
    onAgents: (count, understood) => {
      agents = count;
      deltas = understood;
      loader.loaded?.setAgents(agents, deltas);
    },
    onCommand: ({ type: requestType, requestId }, data, wire) =>
      loader.get().then(
        (half) => {
          // What was sent before the connection broke is not begun after it.
          if (wire.isOpen) half.receive(data, wire);
        },
        (error: unknown) => {
          // A sender that waits for its command must learn why there is no answer.
          if (requestId === undefined) return;
          const failed = { success: false, error: "internal", message: String(error) };
          const result = { type: "command_result", requestType, requestId, instanceId, ...failed };
          wire.send(telemetryBuffer.write(result as unknown as TelemetryBody));
        },
      ),
  });

  let unhooks: (() => void)[] = [];
  const start = (): void => {
    if (unhooks.length > 0) return;
    capture.start();
    unhooks = [followWebMcp(window, capture.tools), followPageCache(window, connection)];
  };
  capture.tools.onChange = () => telemetryBuffer.put(capabilities());
  guard.run(start);

  const bridge: DebugBridge = {
    connect() {
      guard.run(() => {
        start();
        loader.get().catch(() => {});
        connection.open();
      });
    },
    disconnect() {
      guard.run(() => {
        connection.close();
        for (const unhook of unhooks) unhook();
        unhooks = [];
        loader.stop();
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
      console.info(`debug-bridge: not connected, because ${reason}. Set allowProduction to connect`);
    },
    disconnect() {},
    sendCustomState() {},
    registerTool: () => () => {},
  };
}

function randomId(): string {
  const { crypto } = globalThis;
  return crypto?.randomUUID?.() ?? `${platform.epoch().toString(36)}-${Math.random().toString(36).slice(2)}`;
}
