import { WebSocket } from "ws";

/** Asks a Node process how much memory it uses after a garbage collection. */
export class Inspector {
  private nextId = 1;

  private constructor(private readonly socket: WebSocket) {}

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return new Inspector(socket);
  }

  async usedBytes(): Promise<number> {
    await this.request("HeapProfiler.collectGarbage", {});
    const expression = "(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())";
    const { result } = (await this.request("Runtime.evaluate", { expression })) as {
      result: { value: number };
    };
    return result.value;
  }

  close(): void {
    this.socket.terminate();
  }

  private request(method: string, params: object): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const onMessage = (data: unknown): void => {
        const message = JSON.parse(String(data)) as { id?: number; result?: unknown };
        if (message.id !== id) return;
        this.socket.off("message", onMessage);
        resolve(message.result);
      };
      this.socket.on("message", onMessage);
      this.socket.once("close", () => reject(new Error("the hub is gone")));
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
