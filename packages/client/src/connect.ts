import { AgentClient } from "./agent/agent-client.js";
import { type HubAddress, requireHub } from "./connection/find-hub.js";

export interface ConnectOptions extends HubAddress {
  readonly sessionId: string;
  /** Shown to people, and written to the audit log. */
  readonly name?: string;
}

/**
 * Connects to a session of a hub as an agent. Rejects with a BridgeError when no hub answers, or when the hub refuses.
 *
 * @example
 * const app = await connect({ sessionId: "shop" });
 * console.log((await app.observe()).text);
 */
export async function connect({ sessionId, name, ...where }: ConnectOptions): Promise<AgentClient> {
  return AgentClient.open({ hub: await requireHub(where), sessionId, name });
}
