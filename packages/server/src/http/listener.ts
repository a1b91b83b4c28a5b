import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { BridgeError } from "@debug-bridge/protocol";
import { HUB_LIMITS } from "../bounds/limits.js";

/** How long a connection may take to send the head of a request. */
const HEADERS_TIMEOUT_MS = 20_000;

export interface Listener {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

/** Binds an HTTP server. `what` and `flag` name it in the message when the port is in use. */
export async function listen(host: string, port: number, what: string, flag: string): Promise<Listener> {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000 });
  server.maxConnections = HUB_LIMITS.connections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, host, port, what, flag)));
    server.listen(port, host, () => resolve());
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function explain(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  what: string,
  flag: string,
): BridgeError {
  if (error.code === "EADDRINUSE") {
    return new BridgeError(
      "port_in_use",
      `port ${port} for ${what} is in use: another hub may be running (check with debug-bridge doctor). Stop it, or choose another port with ${flag} (0 picks a free one)`,
      { port },
    );
  }
  if (error.code === "EACCES") {
    return new BridgeError(
      "internal",
      `this user may not listen on port ${port} for ${what}; choose one above 1023 with ${flag}`,
    );
  }
  return new BridgeError("internal", `cannot listen on ${host}:${port} for ${what}: ${error.message}`);
}
