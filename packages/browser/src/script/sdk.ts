import { connectState, historyState, reduxState, tanstackQueryState, zustandState } from "../adapters.js";
import { createBridge, type DebugBridge } from "../create-bridge.js";
import { scriptLoader } from "../loading/controller-script.js";
import type { DebugBridgeOptions } from "../options.js";
import { optionsOfScript } from "./options-of-script.js";

/**
 * What `<script src="http://HUB/sdk.js">` runs: connects to the hub that served the script, as configured by its
 * `data-` attributes, and exposes the API as `window.DebugBridge`.
 */
const script = document.currentScript as HTMLScriptElement | null;
const source = script?.src ?? "";
const createDebugBridge = (options: DebugBridgeOptions): DebugBridge =>
  createBridge(options, scriptLoader(source));
const api = { createDebugBridge, connectState, historyState, reduxState, tanstackQueryState, zustandState };
const target = globalThis as typeof globalThis & { DebugBridge?: typeof api & { bridge?: DebugBridge } };
target.DebugBridge = api;

if (script && source !== "" && script.dataset.connect !== "false") {
  const bridge = createDebugBridge(optionsOfScript(source, script.dataset, location.host));
  target.DebugBridge = { ...api, bridge };
  bridge.connect();
}
