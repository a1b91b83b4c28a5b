/** The hub: one process between what is debugged and those who debug it. */
export type { Asset, RouteHandler } from "./http/app.js";
export { DEFAULT_PORTS, type Hub, type HubOptions, homeFolder, startHub } from "./hub.js";
export { announcedHub } from "./hub-file.js";
export type { JoinOptions } from "./providers/in-process/join-as-app.js";
export { isLoopbackName } from "./security/gate.js";
export { readToken } from "./security/token.js";
export type { CommandOptions, ConnectClientOptions, HubConnection } from "./sessions/hub-connection.js";
export { readCdpUrl } from "./wires/cdp/cdp-url.js";
export { CLIENT_MODES, type ClientMode } from "./wires/cdp/client-slot.js";
export type { Relay } from "./wires/cdp/relay.js";
export type { TabEvent, TabSummary } from "./wires/cdp/relay-core.js";
export type { CdpSession } from "./wires/cdp/tab-session.js";
