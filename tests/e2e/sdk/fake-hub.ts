import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { AppMessage, CommandInput, CommandResult } from "@debug-bridge/protocol";
import { appMessageSchema } from "@debug-bridge/protocol/schemas";
import { type WebSocket, WebSocketServer } from "ws";
import { root } from "../page/browser.js";

export type Message<Type extends AppMessage["type"]> = Extract<AppMessage, { type: Type }>;

/** One connection of an app, as the hub sees it. */
export interface AppConnection {
  readonly socket: WebSocket;
  readonly url: string;
  readonly protocols: string[];
  readonly messages: AppMessage[];
}

/**
 * A hub of the first protocol: it serves a page and the SDK, accepts apps, and plays the agent. With `welcomes` it
 * also says how far it has received, as our own hub does.
 */
export class FakeHub {
  readonly connections: AppConnection[] = [];
  readonly invalid: string[] = [];
  pages: Record<string, string> = {};
  /** Answers hello; undefined for a hub that knows only the first protocol. */
  welcome: ((connection: AppConnection) => { lastSeq: number; agents: number }) | undefined;
  private readonly http: Server;
  private readonly sockets: WebSocketServer;
  private nextRequest = 1;

  private constructor() {
    this.http = createServer((request, response) => void this.serve(request.url ?? "/", response));
    this.sockets = new WebSocketServer({
      server: this.http,
      path: "/debug",
      handleProtocols: (protocols) => (protocols.has("debug-bridge.v1") ? "debug-bridge.v1" : false),
    });
    this.sockets.on("connection", (socket, request) => {
      const protocols = (request.headers["sec-websocket-protocol"] ?? "")
        .split(",")
        .map((each) => each.trim());
      const connection: AppConnection = { socket, url: request.url ?? "", protocols, messages: [] };
      this.connections.push(connection);
      socket.on("message", (data) => this.receive(connection, String(data)));
    });
  }

  static async start(port = 0): Promise<FakeHub> {
    const hub = new FakeHub();
    await new Promise<void>((resolve) => hub.http.listen(port, "127.0.0.1", resolve));
    return hub;
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/debug`;
  }

  get last(): AppConnection {
    const connection = this.connections[this.connections.length - 1];
    if (!connection) throw new Error("no app has connected");
    return connection;
  }

  /** All messages of all connections, in order of connections. */
  get messages(): AppMessage[] {
    return this.connections.flatMap((connection) => connection.messages);
  }

  of<Type extends AppMessage["type"]>(
    type: Type,
    from: readonly AppMessage[] = this.messages,
  ): Message<Type>[] {
    return from.filter((message): message is Message<Type> => message.type === type);
  }

  /** Waits until a message of this type passes. */
  async waitFor<Type extends AppMessage["type"]>(
    type: Type,
    passes: (message: Message<Type>) => boolean = () => true,
    from: () => readonly AppMessage[] = () => this.messages,
  ): Promise<Message<Type>> {
    return waitUntil(
      () => this.of(type, from()).find(passes),
      () => `a ${type} message as wanted; got ${from().map((each) => each.type)} ${this.invalid}`,
    );
  }

  /** Sends a command as an agent and waits for its one answer. */
  async run(command: CommandInput): Promise<CommandResult> {
    const requestId = `r${this.nextRequest++}`;
    this.send({ origin: "agent", requestId, ...command });
    return this.waitFor("command_result", (result) => result.requestId === requestId);
  }

  send(message: object, { socket } = this.last): void {
    socket.send(JSON.stringify({ sessionId: "s1", timestamp: Date.now(), origin: "hub", ...message }));
  }

  async stop(): Promise<void> {
    for (const { socket } of this.connections) socket.terminate();
    this.sockets.close();
    const closed = new Promise((resolve) => this.http.close(resolve));
    this.http.closeAllConnections();
    await closed;
  }

  private receive(connection: AppConnection, data: string): void {
    const parsed = appMessageSchema.safeParse(JSON.parse(data));
    if (!parsed.success) {
      this.invalid.push(`${data.slice(0, 300)}: ${parsed.error.message}`);
      return;
    }
    connection.messages.push(parsed.data);
    if (parsed.data.type === "hello" && this.welcome) {
      const { lastSeq, agents } = this.welcome(connection);
      const { instanceId } = parsed.data;
      const welcome = {
        type: "welcome",
        serverVersion: "0",
        lastSeq,
        agents,
        ...(instanceId ? { instanceId } : {}),
      };
      this.send(welcome, connection);
    }
  }

  private async serve(url: string, response: import("node:http").ServerResponse): Promise<void> {
    const { pathname } = new URL(url, "http://hub");
    const built = /^\/(sdk(?:-[a-z]+)?)\.js$/.exec(pathname);
    if (built) {
      response.setHeader("content-type", "text/javascript");
      response.end(await readFile(`${root}packages/browser/dist/${built[1]}.js`));
      return;
    }
    if (pathname.startsWith("/api/")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ok: true, token: "abcdef-secret-token" }));
      return;
    }
    const page = this.pages[pathname];
    response.statusCode = page === undefined ? 404 : 200;
    response.setHeader("content-type", "text/html");
    response.end(page ?? "not found");
  }
}

/** Polls until there is something. */
export async function waitUntil<Value>(
  read: () => Value | undefined | false,
  what: () => string,
): Promise<Value> {
  for (const ends = Date.now() + 40_000; ; ) {
    const value = read();
    if (value) return value;
    if (Date.now() > ends) throw new Error(`waited for ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
