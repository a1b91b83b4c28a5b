import { onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { until } from "../../fixtures.js";

export interface WireMessage {
  readonly type: string;
  readonly origin?: string;
  readonly [key: string]: unknown;
}

export interface ConnectOptions extends ClientOptions {
  readonly role?: "app" | "agent";
  readonly sessionId?: string;
  readonly token?: string;
  readonly query?: Record<string, string>;
  readonly protocols?: string[];
}

/** A bare WebSocket peer that knows the app wire and nothing of our libraries: what any program could be. */
export class WireClient {
  readonly received: WireMessage[] = [];
  /** Everything that came in, as text. */
  readonly frames: string[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  private constructor(
    readonly socket: WebSocket,
    private readonly base: { sessionId: string; origin: string },
  ) {
    socket.on("message", (data) => {
      this.frames.push(String(data));
      this.received.push(JSON.parse(String(data)) as WireMessage);
    });
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
    });
    onTestFinished(() => socket.terminate());
  }

  /** Connects, or rejects with the status and body that the hub refused with. */
  static async connect(hub: string, options: ConnectOptions = {}): Promise<WireClient> {
    const { role, sessionId, token, query, protocols, ...rest } = options;
    const url = new URL("/debug", hub.replace("http", "ws"));
    const parameters = { role, sessionId, token, ...query };
    for (const [key, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(key, value);
    const socket = new WebSocket(url, protocols ?? [], rest);
    const client = new WireClient(socket, { sessionId: sessionId ?? "default", origin: role ?? "app" });
    await new Promise<void>((resolve, reject) => {
      socket.on("open", () => resolve());
      socket.on("error", reject);
      socket.on("unexpected-response", (_request, response) => {
        let body = "";
        response.on("data", (data) => {
          body += data;
        });
        response.on("end", () =>
          reject(Object.assign(new Error(body), { status: response.statusCode, body })),
        );
      });
    });
    return client;
  }

  send(message: Record<string, unknown>): void {
    this.socket.send(JSON.stringify({ ...this.base, timestamp: Date.now(), ...message }));
  }

  sendText(text: string | Buffer): void {
    this.socket.send(text, { binary: false });
  }

  /** The first message of a type that was received, now or later. */
  next(type: string, matches: (message: WireMessage) => boolean = () => true): Promise<WireMessage> {
    return until(() => this.received.find((message) => message.type === type && matches(message)));
  }

  /** Sends a command and waits for its result. */
  command(command: Record<string, unknown>): Promise<WireMessage> {
    const requestId = (command.requestId as string | undefined) ?? `r-${Math.random().toString(36).slice(2)}`;
    this.send({ ...command, requestId });
    return this.next("command_result", (result) => result.requestId === requestId);
  }

  close(): void {
    this.socket.close();
  }
}
