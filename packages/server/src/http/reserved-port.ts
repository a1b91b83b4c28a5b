import type { Server } from "node:http";
import { BridgeError } from "@debug-bridge/protocol";
import { isLoopbackName } from "../security/gate.js";
import { refuseUpgrade } from "./reply.js";

/** Answers on a port whose wire this hub does not speak: it says that it is there, and refuses the rest clearly. */
export function reservedPort(server: Server, wire: string, version: string): void {
  const refusal = new BridgeError(
    "not_supported",
    `this version of the hub (${version}) does not speak the ${wire} wire`,
  );
  server.on("request", (request, response) => {
    const name = /^(\[[0-9a-f:]+\]|[^:]*)/i.exec(request.headers.host ?? "")?.[0] ?? "";
    const isHealth = isLoopbackName(name) && request.url === "/healthz";
    response.writeHead(isHealth ? 200 : refusal.httpStatus, { "content-type": "application/json" });
    response.end(JSON.stringify(isHealth ? { ok: true, wire, version } : { error: refusal.toBody() }));
  });
  server.on("upgrade", (_request, socket) => refuseUpgrade(socket, refusal));
}
