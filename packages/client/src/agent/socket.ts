import type { Agent } from "node:http";
import { BridgeError, type Transport } from "@debug-bridge/protocol";
import type { WebSocket } from "ws";
import type { FoundHub } from "../connection/find-hub.js";
import { authorization, provenAgent } from "../connection/proven.js";
import { refusal } from "../connection/request.js";

/** A session on a hub that was found, and proved itself if it gets a token. */
export interface AgentAddress {
  readonly hub: FoundHub;
  readonly sessionId: string;
  /** Shown to people, and written to the audit log. */
  readonly name?: string | undefined;
}

/**
 * Opens a connection as an agent; rejects with the hub's own words when it refuses. The socket is paused, so that
 * nothing is missed before its reader listens and resumes it.
 */
export async function openSocket(address: AgentAddress, query: Record<string, string>): Promise<WebSocket> {
  // Loaded here, so that programs that only use HTTP do not load it.
  const { WebSocket } = await import("ws");
  const { hub, sessionId, name } = address;
  const url = new URL("/debug", hub.url.replace(/^http/, "ws"));
  const parameters = { role: "agent", sessionId, ...(name ? { name } : {}), ...query };
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  const proven = hub.token === undefined ? {} : { agent: await prove(hub) };
  const socket = new WebSocket(url, { headers: authorization(hub), ...proven });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => {
      socket.pause();
      resolve();
    });
    socket.on("error", ({ message }) => {
      reject(noHubAt(hub, message));
    });
    socket.once("unexpected-response", (_request, response) => {
      let text = "";
      response.on("data", (data) => {
        text = (text + String(data)).slice(0, 100_000);
      });
      response.on("end", () => {
        reject(refusal({ status: response.statusCode ?? 0, text }));
        socket.terminate();
      });
    });
  });
  return socket;
}

/** A connection on which the hub proved that it knows the token, which it gets next. */
async function prove(hub: FoundHub): Promise<Agent> {
  return provenAgent(hub).catch(({ message }: Error) => {
    throw noHubAt(hub, message);
  });
}

function noHubAt({ url }: FoundHub, problem: string): BridgeError {
  const advice = "start one with: debug-bridge up";
  return new BridgeError("app_not_connected", `no hub answers at ${url} (${problem}); ${advice}`);
}

/** A WebSocket as a transport. */
export function socketTransport(socket: WebSocket): Transport {
  const transport: Transport = {
    onMessage: undefined,
    onClose: undefined,
    send: (data) => socket.send(data),
    close: (reason) => socket.close(1000, reason),
  };
  socket.on("message", (data) => transport.onMessage?.(String(data)));
  socket.on("close", (code, reason) => transport.onClose?.(String(reason) || `code ${code}`));
  socket.resume();
  return transport;
}
