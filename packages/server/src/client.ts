/** A small typed client for agents that run in Node. Any other program speaks the app wire over a bare WebSocket. */
import { AgentClient } from "./client/agent-client.js";
import type { Address } from "./client/socket.js";

export type { AgentClient, Observation, ObserveOptions } from "./client/agent-client.js";
export { type EventPage, HubClient, type HubClientOptions } from "./client/hub-client.js";
export type { Address } from "./client/socket.js";

/** Connects to a session of a hub as an agent. */
export function connect(address: Address): Promise<AgentClient> {
  return AgentClient.open(address);
}
