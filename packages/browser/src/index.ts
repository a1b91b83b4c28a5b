export {
  connectState,
  historyState,
  reduxState,
  type StateSource,
  tanstackQueryState,
  zustandState,
} from "./adapters.js";
export type { DebugBridge } from "./create-bridge.js";
export { createDebugBridge } from "./create-debug-bridge.js";
export { type PageChannels, startBridge } from "./dev/start-bridge.js";
export type { DebugBridgeOptions } from "./options.js";
