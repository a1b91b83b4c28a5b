import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { BridgeError } from "@debug-bridge/protocol";
import { WebSocketServer } from "ws";
import { gateRequest, refuseUpgrade, requestUrl } from "../../http/reply.js";
import { checkHost, type GateOptions, hasToken } from "../../security/gate.js";
import type { Sessions } from "../../sessions/registry.js";
import { EXTENSION_ORIGIN } from "../extension/socket.js";
import { READER_SOCKET_OPTIONS } from "../socket-reader.js";
import { Documents } from "./documents.js";
import { serveConsole } from "./peer.js";

const MAX_FRAME_BYTES = 4 * 1024 * 1024;

export interface ConsoleWireOptions {
  readonly sessions: Sessions;
  readonly gate: GateOptions;
  readonly version: string;
  /** Called with what was refused, and with connections that broke. */
  onRefused(what: string, error: BridgeError): void;
}

/** The edge of the console wire: who may connect, and what they may send. Listens on 127.0.0.1 only. */
export class ConsoleWire {
  private readonly wss = new WebSocketServer({
    ...READER_SOCKET_OPTIONS,
    maxPayload: MAX_FRAME_BYTES,
  });

  private readonly documents = new Documents();
  private isClosing = false;

  constructor(
    server: Server,
    private readonly options: ConsoleWireOptions,
  ) {
    server.on("upgrade", (request, socket, head) => this.upgrade(request, socket, head));
    server.on("request", (request, response) => {
      const isHealth = request.url === "/healthz" && this.admits(request);
      response.writeHead(isHealth ? 200 : 404, { "content-type": "application/json" });
      const body = isHealth
        ? { ok: true, wire: "console", version: options.version }
        : { error: "connect with a WebSocket" };
      response.end(JSON.stringify(body));
    });
  }

  close(): void {
    this.isClosing = true;
    for (const socket of this.wss.clients) socket.close(1001, "the hub is shutting down");
    this.wss.close();
  }

  private admits(request: IncomingMessage): boolean {
    try {
      this.admit(request);
      return true;
    } catch {
      return false;
    }
  }

  /** This wire needs no token: our extension's origin, or none (a program), and a loopback host. */
  private admit(request: IncomingMessage): void {
    const { host, origin } = gateRequest(request, requestUrl(request));
    checkHost(host, { ...this.options.gate, host: "127.0.0.1" });
    if (origin === undefined || origin === EXTENSION_ORIGIN) return;
    throw new BridgeError(
      "forbidden_origin",
      `${origin} may not connect to the console wire; only the Debug Bridge extension and programs without an Origin may`,
    );
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    try {
      this.admit(request);
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      this.options.onRefused("upgrade console", error);
      refuseUpgrade(socket, error);
      return;
    }
    const asked = gateRequest(request, requestUrl(request));
    const isProven = asked.origin === EXTENSION_ORIGIN || hasToken(asked, this.options.gate);
    this.wss.handleUpgrade(request, socket, head, (ws) =>
      serveConsole(ws, socket, {
        ...this.options,
        documents: this.documents,
        isProven,
        onRefused: (what, error) => {
          if (!this.isClosing) this.options.onRefused(what, error);
        },
        onClose: () => {},
      }),
    );
  }
}
