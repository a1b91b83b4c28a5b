import { onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { until } from "../../fixtures.js";
import { tokenHeaders } from "../chrome/pairing.js";

export interface Envelope {
  readonly version: string;
  readonly type: string;
  readonly timestamp: string;
  readonly source?: Record<string, unknown>;
  readonly payload: Record<string, unknown>;
}

export const SOURCE = { tabId: 7, url: "http://localhost:3000/app", title: "My App" };

/** A program that knows only the console wire, and sends the token of the hub. */
export class ConsoleClient {
  readonly received: Envelope[] = [];
  readonly closed: Promise<{ code: number }>;

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) => this.received.push(JSON.parse(String(data)) as Envelope));
    this.closed = new Promise((resolve) => socket.on("close", (code) => resolve({ code })));
    onTestFinished(() => socket.terminate());
  }

  static async connect(url: string, options: ClientOptions = {}): Promise<ConsoleClient> {
    const headers = { ...tokenHeaders(url), ...options.headers };
    const client = new ConsoleClient(new WebSocket(url, { ...options, headers }));
    await new Promise<void>((resolve, reject) => {
      client.socket.on("open", () => resolve());
      client.socket.on("error", reject);
    });
    return client;
  }

  /** Connects and shakes hands. */
  static async greeted(url: string, options: ClientOptions = {}): Promise<ConsoleClient> {
    const client = await ConsoleClient.connect(url, options);
    client.send("connection_status", {
      status: "connected",
      clientInfo: { extensionVersion: "2.0.0", browser: "Chrome", browserVersion: "120.0.0" },
    });
    await client.next("connection_status");
    return client;
  }

  envelope(type: string, payload: object, rest: object = {}): object {
    return { version: "1.0.0", type, timestamp: new Date().toISOString(), source: SOURCE, payload, ...rest };
  }

  send(type: string, payload: object, rest: object = {}): void {
    this.socket.send(JSON.stringify(this.envelope(type, payload, rest)));
  }

  log(text: string, method = "log", rest: object = {}): void {
    this.send("console_event", { method, args: [{ type: "string", value: text }] }, rest);
  }

  /** Resolves when the hub has read everything that was sent so far. */
  async settled(): Promise<void> {
    const id = `settled-${Math.random()}`;
    this.send("ping", { id });
    await this.next("pong", ({ payload }) => payload.id === id);
  }

  next(type: string, matches: (message: Envelope) => boolean = () => true): Promise<Envelope> {
    return until(() => this.received.find((message) => message.type === type && matches(message)));
  }
}
