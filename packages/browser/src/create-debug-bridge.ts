import { createBridge, type DebugBridge } from "./create-bridge.js";
import type { DebugBridgeOptions } from "./options.js";

/**
 * Opens a web app to agents: they see its UI, DOM, console, errors, network and state, and can act in it. Listening
 * begins here, so that nothing of the app's start is missed; the connection is made by `connect()`, and only then is
 * the part of the engine that looks and acts loaded.
 *
 * @example
 * const bridge = createDebugBridge({ url: "ws://127.0.0.1:4000/debug", sessionId: "local-dev" });
 * if (import.meta.env.DEV) bridge.connect();
 */
export function createDebugBridge(options: DebugBridgeOptions): DebugBridge {
  return createBridge(options, () => import("./loading/second-half-module.js"));
}
