import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { BridgeError } from "@debug-bridge/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { gateRequest, refuseUpgrade, requestUrl } from "../../http/reply.js";
import { checkHost, type GateOptions, hasToken } from "../../security/gate.js";
import type { Sessions } from "../../sessions/registry.js";
import { EXTENSION_ORIGIN } from "../extension/socket.js";
import { isPairHello, type ProofOptions, proveEachOther } from "../pairing/handshake.js";
import { refuse } from "../pairing/unproven.js";
import { READER_SOCKET_OPTIONS } from "../socket-reader.js";
import { errorEnvelope } from "./connection.js";
import { Documents } from "./documents.js";
import { serveConsole } from "./peer.js";

/** Frames up to this size are read, so that one above the wire's limit gets an answer instead of a closed connection. */
const MAX_FRAME_BYTES = 2 * 1024 * 1024;
const MAX_CONNECTIONS = 128;

export interface ConsoleWireOptions {
  readonly sessions: Sessions;
  readonly gate: GateOptions;
  /** The key that the extension has to know. */
  readonly pairingKey: () => string;
  readonly port: number;
  readonly version: string;
  /** Called with what was refused, and with connections that broke. */
  onRefused(what: string, error: BridgeError): void;
}

/** What a connection was admitted by: the pairing key, the token, or nothing (`--auth none`). */
type AdmittedBy = "pairing" | "token" | "nothing";

/** The edge of the console wire: who may connect, and what they may send. Listens on 127.0.0.1 only. */
export class ConsoleWire {
  private readonly wss = new WebSocketServer({
    ...READER_SOCKET_OPTIONS,
    maxPayload: MAX_FRAME_BYTES,
  });

  private readonly documents = new Documents();
  private readonly served = new Map<WebSocket, AdmittedBy>();
  private readonly proof: ProofOptions;
  private isClosing = false;

  constructor(
    server: Server,
    private readonly options: ConsoleWireOptions,
  ) {
    const { port, pairingKey } = options;
    this.proof = { wire: "console", address: `127.0.0.1:${port}`, key: pairingKey };
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

  /** Ends the connections that were admitted by a token that is no longer valid. */
  disconnectAuthenticated(reason: string): void {
    this.disconnect("token", reason);
  }

  /** Ends the connections that were admitted by a pairing key that is no longer valid. */
  disconnectPaired(reason: string): void {
    this.disconnect("pairing", reason);
  }

  private disconnect(admittedBy: AdmittedBy, reason: string): void {
    for (const [ws, by] of this.served) if (by === admittedBy) ws.close(1008, reason);
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

  /** Our extension's origin, or none (a program), and a loopback host. Then the peer has to prove who it is. */
  private admit(request: IncomingMessage): void {
    const { host, origin } = gateRequest(request, requestUrl(request));
    checkHost(host, { ...this.options.gate, host: "127.0.0.1", allowHosts: [] });
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
    if (this.wss.clients.size >= MAX_CONNECTIONS) {
      refuseUpgrade(socket, tooManyConnections());
      return;
    }
    const isOpen = this.options.gate.auth === "none";
    const mayEnter = isOpen || hasToken(gateRequest(request, requestUrl(request)), this.options.gate);
    this.wss.handleUpgrade(request, socket, head, (ws) => {
      ws.on("error", () => {});
      if (!mayEnter) void this.prove(ws, socket);
      else
        ws.once("message", (data) => {
          const text = String(data);
          // Our extension trusts nobody who has not proved himself, whatever the hub demands.
          if (isPairHello(text)) void this.prove(ws, socket, text);
          else this.serve(ws, socket, isOpen ? "nothing" : "token", text);
        });
    });
  }

  private async prove(ws: WebSocket, socket: Duplex, first?: string): Promise<void> {
    try {
      await proveEachOther(ws, socket, this.proof, first);
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(errorEnvelope(needsProof())));
      refuse(ws, error);
      this.options.onRefused("console connection", error);
      return;
    }
    this.serve(ws, socket, "pairing");
  }

  /** Reads what an admitted peer sends. `first` is its first message if it was already read. */
  private serve(ws: WebSocket, socket: Duplex, admittedBy: AdmittedBy, first?: string): void {
    this.served.set(ws, admittedBy);
    const options = {
      ...this.options,
      documents: this.documents,
      isProven: admittedBy !== "nothing",
      onRefused: (what: string, error: BridgeError): void => {
        if (!this.isClosing) this.options.onRefused(what, error);
      },
      onClose: () => void this.served.delete(ws),
    };
    serveConsole(ws, socket, options, first);
  }
}

function needsProof(): BridgeError {
  return new BridgeError(
    "auth_required",
    "the console wire is for the paired extension and for programs that send the hub's token (?token=TOKEN or Authorization: Bearer TOKEN); a hub started with --auth none needs neither",
  );
}

function tooManyConnections(): BridgeError {
  return new BridgeError(
    "rate_limit",
    `${MAX_CONNECTIONS} connections to the console wire are open, which is the limit; close some`,
  );
}
