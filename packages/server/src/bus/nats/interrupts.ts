import type { NatsConnection } from "@nats-io/transport-node";

interface Waiting {
  readonly hub: string | undefined;
  readonly reject: (error: Error) => void;
}

/**
 * Ends what waits for an answer when the answer can no longer come: the connection to the bus was lost, or the hub that was
 * asked. Without it, clients would wait until a timeout, and could try again only then.
 */
export class Interrupts {
  private readonly waiting = new Set<Waiting>();
  private readonly reconnected: (() => void)[] = [];

  constructor(private readonly connection: Pick<NatsConnection, "status" | "isClosed">) {
    void this.follow();
  }

  get isClosed(): boolean {
    return this.connection.isClosed();
  }

  /** Settles like the answer, or rejects when it is interrupted. `hub` is who was asked, unless it is the bus itself. */
  guard<Answer>(answer: Promise<Answer>, hub?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiting = { hub, reject };
      this.waiting.add(waiting);
      answer.then(resolve, reject).finally(() => this.waiting.delete(waiting));
    });
  }

  /** A hub is gone, or has missed what was sent to it. */
  interruptHub(hub: string): void {
    for (const each of this.waiting) if (each.hub === hub) each.reject(new Error("it was disconnected"));
  }

  /** Calls back whenever the connection is there again after it was lost. */
  onReconnected(callback: () => void): void {
    this.reconnected.push(callback);
  }

  private async follow(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === "disconnect")
        for (const { reject } of this.waiting) reject(new Error("the connection to the bus was lost"));
      if (type === "reconnect") for (const callback of this.reconnected) callback();
    }
  }
}
