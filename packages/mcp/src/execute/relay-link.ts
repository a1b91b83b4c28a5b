import { BridgeError } from "@debug-bridge/protocol";
import type { RawData } from "ws";
import type { CdpLink } from "./cdp-link.js";

/** The status with which the relay refused a connection. */
export class RelayRefusal extends BridgeError {
  constructor(readonly status: number) {
    super("app_not_connected", `the relay answered ${status}`);
  }
}

/** Connects to the relay. The token in the address stays in this process. */
export async function openRelayLink(cdpUrl: string, timeoutMs: number): Promise<CdpLink> {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(cdpUrl, {
    handshakeTimeout: timeoutMs,
    maxPayload: 0,
    perMessageDeflate: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
    socket.once("unexpected-response", (request, { statusCode = 0 }) => {
      reject(new RelayRefusal(statusCode));
      request.destroy();
    });
  });
  // Nothing is missed before somebody listens.
  socket.pause();
  socket.on("error", () => {});
  return {
    send: (text) => socket.send(text),
    onMessage: (listener) => {
      socket.on("message", (data: RawData) => listener(String(data)));
      socket.resume();
    },
    onClose: (listener) => void socket.once("close", listener),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  };
}
