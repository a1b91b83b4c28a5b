import { WireClient, type WireMessage } from "./wire-client.js";

/**
 * An app as the wire describes it: it numbers its messages, keeps them, and after it was disconnected continues with the next
 * hub of its list, which says what it has.
 */
export class ResumingApp {
  private readonly sent: { seq: number; message: Record<string, unknown> }[] = [];
  private wire: WireClient | undefined;
  private isEnded = false;
  private isReady = false;
  connections = 0;
  /** Whether it answers the commands that it gets. */
  isAnswering = true;
  /** Commands that it was sent. */
  readonly commands: WireMessage[] = [];

  constructor(
    private readonly hubs: readonly string[],
    private readonly sessionId: string,
    private readonly instanceId: string,
  ) {
    void this.run();
  }

  send(message: Record<string, unknown>): void {
    const numbered = { seq: this.sent.length + 1, message };
    this.sent.push(numbered);
    if (this.isReady) this.wire?.send({ ...message, seq: numbered.seq });
  }

  end(): void {
    this.isEnded = true;
    this.wire?.close();
  }

  private async run(): Promise<void> {
    for (let tries = 0; !this.isEnded; tries++) {
      try {
        await this.connect(this.hubs[tries % this.hubs.length] as string);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  private async connect(hub: string): Promise<void> {
    const { instanceId, sessionId } = this;
    const wire = await WireClient.connect(hub, { role: "app", sessionId });
    this.wire = wire;
    wire.send({ type: "hello", url: "http://localhost/", userAgent: "test", protocolVersion: 1, instanceId });
    // What came together with the answer to the handshake counts too.
    for (const early of [...wire.received]) this.receive(wire, early);
    wire.socket.on("message", (data) => this.receive(wire, JSON.parse(String(data)) as WireMessage));
    await wire.closed;
    this.isReady = false;
  }

  private receive(wire: WireClient, message: WireMessage): void {
    if (message.type === "welcome") {
      this.connections++;
      for (const { seq, message: kept } of this.sent)
        if (seq > (message.lastSeq as number)) wire.send({ ...kept, seq });
      this.isReady = true;
    } else if (message.origin === "agent") {
      this.commands.push(message);
      if (!this.isAnswering) return;
      const { type, requestId } = message;
      wire.send({ type: "command_result", requestType: type, requestId, success: true });
    }
  }
}
