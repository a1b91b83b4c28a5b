/** The hub: one process between what is debugged and those who debug it. */
export type { Asset } from "./http/app.js";
export { DEFAULT_PORTS, type Hub, type HubOptions, homeFolder, startHub } from "./hub.js";
export { isLoopbackName } from "./security/gate.js";
export { readToken } from "./security/token.js";
