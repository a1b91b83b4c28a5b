/** Apps and agents of the load: sockets, and the message that they send. */
import { WebSocket } from "ws";

/** A typical message of an app: the response to a request. */
export const networkMessage = (sessionId, number) =>
  JSON.stringify({
    ...{ sessionId, timestamp: 1_760_000_000_000, origin: "app", type: "network", id: `r-${number}` },
    ...{ phase: "response", api: "fetch", method: "POST" },
    url: "http://localhost:5173/api/orders/4711/lines?expand=product",
    ...{ status: 201, statusText: "Created", durationMs: 38.4, requestBytes: 312, responseBytes: 1840 },
  });

/** An app or an agent of a session, once it is connected. */
export const openPeer = (port, role, sessionId, token) =>
  new Promise((resolve, reject) => {
    const query = `role=${role}&sessionId=${sessionId}${token ? `&token=${token}` : ""}`;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/debug?${query}`, { perMessageDeflate: false });
    socket.on("open", () => resolve(socket));
    socket.on("error", reject);
  });
