import { CONSOLE_MESSAGE_LIMITS, type ConsoleEvent, type ConsoleMessage } from "@debug-bridge/protocol";
import { consoleFrameSchema, decode } from "@debug-bridge/protocol/schemas";
import { type WebSocket, WebSocketServer } from "ws";
import { until } from "../../fixtures.js";
import { proveAsHub } from "../../support/chrome/pairing.js";

export interface HubBehaviour {
  /** Version in its reply to the handshake. */
  readonly version?: string;
  /** Replaces the reply to the handshake; `undefined` sends nothing. */
  readonly answer?: (hub: FakeHub) => unknown;
  readonly port?: number;
}

/** A WebSocket server in place of the hub, paired with the extension of the tests. It checks every frame with the schema, as a hub does. */
export class FakeHub {
  readonly messages: ConsoleMessage[] = [];
  readonly frames: string[] = [];
  readonly receivedAt = new Map<ConsoleMessage, number>();
  readonly invalid: string[] = [];
  readonly origins: (string | undefined)[] = [];
  readonly connectedAt: number[] = [];
  socket: WebSocket | undefined;

  private constructor(
    private readonly server: WebSocketServer,
    private readonly behaviour: HubBehaviour,
  ) {
    server.on("connection", (socket, request) => {
      this.socket = socket;
      this.connectedAt.push(Date.now());
      this.origins.push(request.headers.origin);
      // A connection that ends during the handshake has nothing to read.
      void proveAsHub(socket, "console", `127.0.0.1:${this.port}`).then(
        () => socket.on("message", (data, isBinary) => this.receive(String(data), isBinary)),
        () => {},
      );
    });
  }

  static async start(behaviour: HubBehaviour = {}): Promise<FakeHub> {
    const server = new WebSocketServer({ host: "127.0.0.1", port: behaviour.port ?? 0 });
    await new Promise((resolve, reject) => server.on("listening", resolve).on("error", reject));
    return new FakeHub(server, behaviour);
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  get address(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  send(type: string, payload: Record<string, unknown>, version = "1.0.0"): void {
    this.socket?.send(JSON.stringify({ version, type, timestamp: new Date().toISOString(), payload }));
  }

  /** Console events, each once: an event that is sent again has the same document and number. */
  get events(): ConsoleEvent[] {
    const seen = new Set<string>();
    return this.allEvents.filter(({ source, payload }) => {
      const key = `${source.documentId}/${payload.seq}`;
      return !seen.has(key) && seen.add(key);
    });
  }

  /** The statuses that the extension reported, with their reasons. */
  get statuses(): { readonly status: string; readonly reason?: string | undefined }[] {
    return this.messages
      .filter((message) => message.type === "connection_status")
      .map(({ payload: { status, reason } }) => ({ status, ...(reason === undefined ? {} : { reason }) }));
  }

  get allEvents(): ConsoleEvent[] {
    return this.messages.filter((message): message is ConsoleEvent => message.type === "console_event");
  }

  /** First arguments of the events, as text. */
  get lines(): string[] {
    return this.events.map(({ payload: { args } }) =>
      typeof args[0]?.value === "string" ? args[0].value : "",
    );
  }

  /** The event whose first argument is this text. */
  event(text: string): Promise<ConsoleEvent> {
    return until(() => this.events.find(({ payload }) => payload.args[0]?.value === text));
  }

  async close(): Promise<void> {
    for (const client of this.server.clients) client.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private receive(text: string, isBinary: boolean): void {
    this.frames.push(text);
    const decoded = decode(consoleFrameSchema, text, CONSOLE_MESSAGE_LIMITS);
    if (!decoded.ok || isBinary) {
      this.invalid.push(`${decoded.ok ? "binary" : decoded.error.message}: ${text.slice(0, 500)}`);
      return;
    }
    for (const message of [decoded.value].flat()) {
      this.messages.push(message);
      this.receivedAt.set(message, Date.now());
      if (message.type === "ping") this.send("pong", { id: message.payload.id });
      if (message.type === "connection_status" && message.payload.status === "connected") this.introduce();
    }
  }

  private introduce(): void {
    if (this.behaviour.answer) {
      const answer = this.behaviour.answer(this);
      if (answer !== undefined)
        this.socket?.send(typeof answer === "string" ? answer : JSON.stringify(answer));
      return;
    }
    const clientInfo = { cliVersion: "0.1.0", platform: "linux" };
    this.send("connection_status", { status: "connected", clientInfo }, this.behaviour.version ?? "1.0.0");
  }
}
