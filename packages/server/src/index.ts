/** The hub: one process between what is debugged and those who debug it. */

export { homeFolder } from "@debug-bridge/client/files";
export {
  type Bus,
  type BusHandlers,
  LEASE_MS,
  type Registry,
  type RegistryChange,
  WORK_MS,
  type WorkItem,
} from "./bus/bus.js";
export { connectBus } from "./bus/connect-bus.js";
export { MemoryExchange } from "./bus/memory/memory-bus.js";
export type { NatsBusOptions } from "./bus/nats/nats-bus.js";
export { SavedApprovals } from "./chats/approvals/saved-approvals.js";
export { answerOf, approvalStep, type Turn, turnsOf } from "./chats/runs/turns.js";
export { ChatStore } from "./chats/store/chat-store.js";
export type { Asset, RouteHandler } from "./http/app.js";
export { DEFAULT_PORTS, type HubOptions } from "./hub/options.js";
export { type Hub, startHub } from "./hub/start-hub.js";
export type { PageSnapshot, RenderedPicture, RenderOptions, RenderPage } from "./pictures/app-picture.js";
export type { PooledBrowser } from "./providers/browsers/browser-pool.js";
export type { BrowserOffer, JoinBrowser } from "./providers/browsers/browsers.js";
export type { ChromeState } from "./providers/chrome/chrome-connection.js";
export { browserAddresses } from "./providers/chrome/find-browser.js";
export type { JoinOptions } from "./providers/in-process/join-as-app.js";
export type { CdpSession } from "./relay/clients/in-process-session.js";
export type { Relay } from "./relay/relay.js";
export type { TabEvent, TabSummary } from "./relay/tabs/tab-usage.js";
export { CLIENT_MODES, type ClientMode } from "./relay/wire/client-slot.js";
export type { CommandOptions, ConnectClientOptions, HubConnection } from "./sessions/peers/hub-connection.js";
export { collect as collectShared } from "./share/collect.js";
export { sharedHtml } from "./share/html.js";
export { readProgram, SHARED_REPLAY, SHARED_SCRIPT } from "./share/program.js";
export { recordingOnDisk } from "./share/shareables.js";
