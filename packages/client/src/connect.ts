import { AgentClient } from "./agent/agent-client.js";
import { type FoundHub, foundHub, noHub, requestedHub, requireHub } from "./connection/find-hub.js";

export interface ConnectOptions {
  readonly sessionId: string;
  /** Address of the hub; `$DEBUG_BRIDGE_HUB`, else the newest hub of the home. */
  readonly hub?: string;
  /** The hub's token; by default that of the home. It is sent only after the hub has proved that it knows it. */
  readonly token?: string;
  /** `$DEBUG_BRIDGE_HOME`, else `~/.debug-bridge`. */
  readonly home?: string;
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
  return AgentClient.open({ hub: await find(where), sessionId, name });
}

async function find({ hub, home, token }: Omit<ConnectOptions, "sessionId">): Promise<FoundHub> {
  if (token === undefined) return requireHub({ hub, home });
  const url = requestedHub({ hub }) ?? (await requireHub({ home })).url;
  const found = await foundHub(url, token);
  if (!found) throw noHub({ hub: url });
  return found;
}
