/** The hub: one process between what is debugged and those who debug it. */

export { homeFolder } from "@debug-bridge/client/files";
export type { Asset, RouteHandler } from "./http/app.js";
export { DEFAULT_PORTS, type Hub, type HubOptions, startHub } from "./hub.js";
export { isLoopbackName } from "./security/gate.js";
export { CLIENT_MODES, type ClientMode } from "./wires/cdp/client-slot.js";
export type { Relay } from "./wires/cdp/relay.js";
export type { TabEvent, TabSummary } from "./wires/cdp/relay-core.js";
export type { CdpSession } from "./wires/cdp/tab-session.js";
