import { startBridge } from "./dev/start-bridge.js";
import type { DebugBridgeOptions } from "./options.js";

interface Settings {
  readonly options: DebugBridgeOptions;
  readonly root: string;
}

// Written into the document by the development server. Elsewhere than in a page there is none.
const settings = globalThis.document?.querySelector('meta[name="debug-bridge"]')?.getAttribute("content");
if (settings) {
  const { options, root } = JSON.parse(settings) as Settings;
  startBridge(options, root, { angular: true });
}
