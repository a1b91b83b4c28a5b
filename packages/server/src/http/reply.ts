import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type BridgeError, httpStatusOf } from "@debug-bridge/protocol";
import type { Request } from "../security/gate.js";

const PHRASES: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  501: "Not Implemented",
};

/** The parts of a request that the gate checks. */
export function gateRequest(request: IncomingMessage, url: URL): Request {
  return {
    host: request.headers.host,
    origin: request.headers.origin,
    authorization: request.headers.authorization,
    protocols: request.headers["sec-websocket-protocol"],
    queryToken: url.searchParams.get("token") ?? undefined,
  };
}

/** The URL of a request, without regard to its host. */
export function requestUrl(request: IncomingMessage): URL {
  const path = request.url ?? "/";
  return URL.canParse(path, "http://hub") ? new URL(path, "http://hub") : new URL("http://hub/");
}

/** Answers an upgrade request that is refused, and ends its connection. */
export function refuseUpgrade(socket: Duplex, error: BridgeError): void {
  const body = JSON.stringify({ error: error.toBody() });
  const status = httpStatusOf(error);
  socket.end(
    `HTTP/1.1 ${status} ${PHRASES[status] ?? "Error"}\r\ncontent-type: application/json\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
