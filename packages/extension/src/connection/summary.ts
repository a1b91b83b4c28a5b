import type { ConnectionStates } from "./manager.js";
import type { ConnectionState } from "./state.js";

/** The two connections as one state. */
export type ConnectionSummary = ConnectionState["status"] | "partly-connected";

/** What decides when the wires differ and none of them is connected, most important first. */
const ORDER: readonly ConnectionState["status"][] = [
  "incompatible",
  "unpaired",
  "waiting",
  "connecting",
  "failed",
  "idle",
];

export function summarize({ console, relay }: ConnectionStates): ConnectionSummary {
  if (console.status === "incompatible") return "incompatible";
  const connected = [console, relay].filter(({ status }) => status === "connected").length;
  if (connected === 2) return "connected";
  if (connected === 1) return "partly-connected";
  return ORDER.find((status) => status === console.status || status === relay.status) ?? "idle";
}
