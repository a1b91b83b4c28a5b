import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { BridgeError } from "@debug-bridge/protocol";
import type { Channel } from "../bus/channels/channel.js";
import type { Cluster } from "../bus/cluster.js";
import { gateRequest, refuseUpgrade, requestUrl } from "../http/reply.js";
import { admit, type GateOptions, hasToken } from "../security/gate.js";
import type { AppWire } from "./app.js";
import { readTarget } from "./app-target.js";

/** Admits a connection to the app wire, or refuses it. Its session may be on another hub. */
export function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  gate: GateOptions,
  appWire: AppWire,
  cluster: Cluster | undefined,
  onRefused: (what: string, error: BridgeError) => void,
): void {
  socket.on("error", () => socket.destroy());
  const url = requestUrl(request);
  const refuse = (thrown: unknown): void => {
    const error = BridgeError.from(thrown);
    onRefused(`upgrade ${url.pathname}`, error);
    refuseUpgrade(socket, error);
  };
  try {
    if (url.pathname !== "/debug")
      throw new BridgeError("session_not_found", `no wire is at ${url.pathname}; connect to /debug`);
    const target = readTarget(url);
    const asked = gateRequest(request, url);
    admit(asked, target.role, gate);
    const isOpen = gate.auth === "token" && !hasToken(asked, gate);
    const peer = { origin: asked.origin, isOpen };
    const accept = (remote?: Channel | BridgeError): void =>
      appWire.upgrade(request, socket, head, target, peer, remote);
    if (cluster) void cluster.openPeer(target, peer).catch(BridgeError.from).then(accept).catch(refuse);
    else accept();
  } catch (thrown) {
    refuse(thrown);
  }
}
