import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import { type DurableLog, LOG_LIMITS } from "../bus.js";
import { encodeKey } from "./subjects.js";

/** Batches of records in a JetStream stream that has one subject per session. */
export class NatsLog implements DurableLog {
  private constructor(
    private readonly js: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly prefix: string,
  ) {}

  static async open(connection: NatsConnection, namespace: string, replicas: number): Promise<NatsLog> {
    const manager = await jetstreamManager(connection);
    const stream = `${namespace}-timeline`;
    const prefix = `${namespace}.timeline`;
    // The same call again changes nothing: every hub makes it.
    await manager.streams.add({
      name: stream,
      subjects: [`${prefix}.*`],
      max_bytes: LOG_LIMITS.bytes,
      max_age: nanos(LOG_LIMITS.ageMs),
      max_msgs_per_subject: LOG_LIMITS.batchesPerSession,
      discard: "old",
      allow_direct: true,
      num_replicas: replicas,
    });
    return new NatsLog(jetstream(connection), manager, stream, prefix);
  }

  async append(sessionId: string, text: string): Promise<void> {
    await this.js.publish(this.subject(sessionId), text);
  }

  async read(sessionId: string): Promise<string[]> {
    const subject = this.subject(sessionId);
    const texts: string[] = [];
    for (let seq = 1; ; ) {
      const message = await this.manager.direct.getMessage(this.stream, { seq, next_by_subj: subject });
      if (!message) return texts;
      texts.push(message.string());
      seq = message.seq + 1;
    }
  }

  async purge(sessionId: string): Promise<void> {
    await this.manager.streams.purge(this.stream, { filter: this.subject(sessionId) });
  }

  private subject(sessionId: string): string {
    return `${this.prefix}.${encodeKey(sessionId)}`;
  }
}
