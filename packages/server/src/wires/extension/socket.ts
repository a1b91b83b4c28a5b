import type { Duplex } from "node:stream";
import { BridgeError } from "@debug-bridge/protocol";
import type { WebSocket } from "ws";
import { HUB_LIMITS } from "../../bounds/limits.js";
import { steadyNow } from "../../bounds/steady-clock.js";
import type { RelayCore } from "../../relay/relay-core.js";
import type { WireLog } from "../../relay/wire/wire-log.js";
import { type ProofOptions, proveEachOther } from "../pairing/handshake.js";
import { refuse } from "../pairing/unproven.js";
import { SocketLink } from "../socket-link.js";

/** Our extension, by the id that the key in its manifest gives it. */
export const EXTENSION_ORIGIN = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";
const PING_INTERVAL_MS = 5_000;
const PONG_TIMEOUT_MS = 4_000;

export function checkExtensionOrigin(origin: string | undefined): void {
  if (origin === EXTENSION_ORIGIN) return;
  throw new BridgeError(
    "forbidden_origin",
    `only the Debug Bridge extension may connect here, not ${origin ?? "a program without an Origin"}`,
  );
}

/** The one connection of an extension: lets it prove itself, and checks that it is alive. */
export class ExtensionSocket {
  private current: { readonly ws: WebSocket; readonly instance: string | null } | undefined;

  constructor(
    private readonly core: RelayCore,
    private readonly log: WireLog | undefined,
    private readonly proof: ProofOptions,
    private readonly onRefused: (what: string, error: BridgeError) => void,
  ) {}

  /** Throws unless it is our extension and no other is connected, except an earlier worker of the same one. */
  admit(origin: string | undefined, instance: string | null): void {
    checkExtensionOrigin(origin);
    this.checkFree(instance);
  }

  /** Accepts a connection once it has proved itself. Until then it counts for nothing, and keeps nobody out. */
  async prove(ws: WebSocket, socket: Duplex, instance: string | null): Promise<void> {
    try {
      await proveEachOther(ws, socket, this.proof);
      this.checkFree(instance);
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      refuse(ws, error);
      this.onRefused("connection of an extension", error);
      return;
    }
    this.accept(ws, socket, instance);
  }

  /** Ends the connection: the pairing key was replaced. */
  disconnect(reason: string): void {
    this.current?.ws.close(1008, reason);
  }

  private checkFree(instance: string | null): void {
    if (!this.current || (instance !== null && instance === this.current.instance)) return;
    throw new BridgeError(
      "conflict",
      "another browser's extension is connected to this relay; close that browser, or start a second hub with --relay-port and set its address in the popup",
    );
  }

  private accept(ws: WebSocket, socket: Duplex, instance: string | null): void {
    this.current?.ws.terminate();
    this.leave(this.current?.ws, "its worker started again");
    const link = new SocketLink(ws, socket, HUB_LIMITS.unread.extension);
    this.current = { ws, instance };
    let lastMessage = steadyNow();
    const ping = setInterval(() => {
      this.core.extension.notify("ping");
      const asked = steadyNow();
      setTimeout(() => {
        if (lastMessage < asked) ws.terminate();
      }, PONG_TIMEOUT_MS).unref();
    }, PING_INTERVAL_MS);
    ws.on("message", (data) => {
      lastMessage = steadyNow();
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
