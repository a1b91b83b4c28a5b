/** How to find a hub and talk to it. */
export type { ActedList, AgentClient, Observation, ObserveOptions } from "./agent/agent-client.js";
export { type ConnectOptions, connect } from "./connect.js";
export { type ChatEventOptions, streamChatEvents } from "./connection/chat-events.js";
export {
  type FoundHub,
  findHub,
  findHubs,
  foundHub,
  type HubAddress,
  noHub,
  requestedHub,
  requestedHubs,
  requireHub,
} from "./connection/find-hub.js";
export { answerPairing, type PairingProgress, pairExtension } from "./connection/pairing.js";
export { checkHub, type HubHealth, hubProof } from "./connection/proof.js";
export { CAUGHT_UP, type RecordOptions, streamRecords } from "./connection/records.js";
export { request } from "./connection/request.js";
export * from "./files.js";
export { type EventPage, HubClient, type HubClientOptions } from "./hub-client.js";
