import { startBridge } from "./dev/start-bridge.js";
import type { DebugBridgeOptions } from "./options.js";

declare const process: { env: { DEBUG_BRIDGE_PAGE?: string } };

interface Settings {
  readonly options: DebugBridgeOptions;
  readonly root: string;
}

// Next.js replaces exactly this expression by what `withDebugBridge` wrote into its configuration.
const settings = process.env.DEBUG_BRIDGE_PAGE;
if (settings) {
  const { options, root } = JSON.parse(settings) as Settings;
  startBridge(options, root, { next: true });
}
