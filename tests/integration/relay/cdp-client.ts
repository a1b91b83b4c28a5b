import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../fixtures.js";

export interface CdpMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string; data?: unknown };
  readonly sessionId?: string;
}

/** A CDP client that knows nothing but the protocol. */
export class CdpClient {
  readonly messages: CdpMessage[] = [];
  private nextId = 1;

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) => this.messages.push(JSON.parse(String(data))));
  }

  static async connect(
    url: string,
    options: { headers?: Record<string, string>; origin?: string; protocols?: string[] } = {},
  ): Promise<CdpClient> {
    const { protocols = [], ...rest } = options;
    const socket = new WebSocket(url, protocols, rest);
    const client = new CdpClient(socket);
    onTestFinished(() => socket.terminate());
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("unexpected-response", (_request, response) => {
        let body = "";
        response.on("data", (data) => {
          body += data;
        });
        response.on("end", () => reject(new Error(`HTTP ${response.statusCode} ${body}`)));
      });
      socket.once("error", reject);
    });
    return client;
  }

  /** Sends a command and waits for its answer, whatever that is. */
  async ask(method: string, params: object = {}, sessionId?: string): Promise<CdpMessage> {
    const id = this.nextId++;
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    return until(() => this.messages.find((message) => message.id === id));
  }

  async result(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
    const { result, error } = await this.ask(method, params, sessionId);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  events(method: string, sessionId?: string): CdpMessage[] {
    return this.messages.filter(
      (message) => message.method === method && (sessionId === undefined || message.sessionId === sessionId),
    );
  }

  /** The session of a page, from the events of automatic attaching. */
  session(targetId: string): string {
    const found = this.events("Target.attachedToTarget").find(
      ({ params }) => (params?.targetInfo as { targetId?: string } | undefined)?.targetId === targetId,
    );
    return String(found?.params?.sessionId);
  }

  async attachAll(): Promise<void> {
    await this.result("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    });
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.socket.once("close", resolve));
    this.socket.close();
    await closed;
  }
}
