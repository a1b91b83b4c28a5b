import type { Duplex } from "node:stream";
import { BridgeError } from "@debug-bridge/protocol";
import type { WebSocket } from "ws";
import type { RelayCore } from "../cdp/relay-core.js";
import type { WireLog } from "../cdp/wire-log.js";
import { SocketLink } from "../socket-link.js";

/** Our extension, by the id that the key in its manifest gives it. */
export const EXTENSION_ORIGIN = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";
const PING_EVERY_MS = 5_000;
const PONG_WITHIN_MS = 4_000;

/** The one place for an extension: who may take it, and that whoever has it is alive. */
export class ExtensionSocket {
  private current: { readonly ws: WebSocket; readonly instance: string | null } | undefined;

  constructor(
    private readonly core: RelayCore,
    private readonly log: WireLog | undefined,
    private readonly onRefused: (what: string, error: BridgeError) => void,
  ) {}

  /** Throws unless it is our extension and the place is free, or held by an earlier life of the very same one. */
  admit(origin: string | undefined, instance: string | null): void {
    if (origin !== EXTENSION_ORIGIN)
      throw new BridgeError(
        "forbidden_origin",
        `only the Debug Bridge extension may connect to /extension, not ${origin ?? "a program without an Origin"}`,
      );
    if (!this.current || (instance !== null && instance === this.current.instance)) return;
    throw new BridgeError(
      "conflict",
      "another browser's extension is connected to this relay; close that browser, or start a second hub with --relay-port and set its address in the popup",
    );
  }

  take(ws: WebSocket, socket: Duplex, instance: string | null): void {
    this.current?.ws.terminate();
    this.leave(this.current?.ws, "its worker started anew");
    const link = new SocketLink(ws, socket);
    this.current = { ws, instance };
    let heard = Date.now();
    const ping = setInterval(() => {
      this.core.desk.tell("ping");
      const asked = Date.now();
      setTimeout(() => {
        if (heard < asked) ws.terminate();
      }, PONG_WITHIN_MS).unref();
    }, PING_EVERY_MS);
    ws.on("message", (data) => {
      heard = Date.now();
      if (this.current?.ws !== ws) return;
      const text = String(data);
      this.log?.write("extension>relay", "extension", text);
      try {
        this.core.extensionText(text);
      } catch (thrown) {
        this.onRefused("message of the extension", BridgeError.from(thrown));
      }
    });
    ws.on("close", () => {
      clearInterval(ping);
      this.leave(ws, "its connection closed");
    });
    ws.on("error", () => {});
    this.core.extensionConnected((text) => {
      this.log?.write("relay>extension", "extension", text);
      link.send(text);
    });
  }

  close(): void {
    this.current?.ws.close(1001, "the hub is shutting down");
  }

  private leave(ws: WebSocket | undefined, reason: string): void {
    if (!ws || this.current?.ws !== ws) return;
    this.current = undefined;
    this.core.extensionLost(reason);
  }
}
