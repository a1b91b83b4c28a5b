import { BridgeError, type Transport } from "@debug-bridge/protocol";
import { WebSocket } from "ws";

export interface Address {
  /** Address of the hub: `http://127.0.0.1:4000`. */
  readonly hub?: string;
  readonly sessionId: string;
  /** The hub's token; not needed with `--auth none`. */
  readonly token?: string;
  /** Shown to people, and in the audit log. */
  readonly name?: string;
}

/**
 * Opens a connection as an agent; rejects with the hub's own words when it refuses. The socket is paused, so that
 * nothing is missed before its reader listens and resumes it.
 */
export async function openSocket(address: Address, query: Record<string, string>): Promise<WebSocket> {
  const hub = address.hub ?? "http://127.0.0.1:4000";
  const url = new URL("/debug", hub.replace(/^http/, "ws"));
  const named = address.name ? { name: address.name } : {};
  const parameters = { role: "agent", sessionId: address.sessionId, ...named, ...query };
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  const headers = address.token ? { authorization: `Bearer ${address.token}` } : {};
  const socket = new WebSocket(url, { headers });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => {
      socket.pause();
      resolve();
    });
    socket.on("error", ({ message }) => {
      const advice = "start one with: debug-bridge up";
      reject(new BridgeError("app_not_connected", `no hub answers at ${hub} (${message}); ${advice}`));
    });
    socket.once("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (data) => {
        body += data;
      });
      response.on("end", () => {
        reject(refusal(body, response.statusCode));
        socket.terminate();
      });
    });
  });
  return socket;
}

function refusal(body: string, status: number | undefined): BridgeError {
  try {
    return BridgeError.fromBody((JSON.parse(body) as { error: { code: string; message: string } }).error);
  } catch {
    return new BridgeError("internal", `the hub answered ${status}`);
  }
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
