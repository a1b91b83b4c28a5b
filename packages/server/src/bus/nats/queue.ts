import { randomUUID } from "node:crypto";
import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import { QUEUE_LIMITS, WORK_MS, type WorkItem, type WorkQueue } from "../bus.js";
import { queueFull } from "../memory/memory-queue.js";
import { decodeKey, encodeKey } from "./subjects.js";

/** JetStream waits at least this long for a message. */
const NEXT_TIMEOUT_MS = 1_000;
const PUT_TIMEOUT_MS = 2_000;
const MAX_PUTS = 6;
/** Code of JetStream: the stream has as many messages as it may have. */
const MAXIMUM_MESSAGES = 10077;

/** A JetStream work queue: one subject, and one consumer that all hubs share, for each key. */
export class NatsQueue implements WorkQueue {
  private readonly consumers = new Set<string>();

  private constructor(
    private readonly js: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly prefix: string,
  ) {}

  static async open(connection: NatsConnection, namespace: string, replicas: number): Promise<NatsQueue> {
    const manager = await jetstreamManager(connection);
    const stream = `${namespace}-queue`;
    const prefix = `${namespace}.queue`;
    await manager.streams.add({
      name: stream,
      subjects: [`${prefix}.*`],
      retention: RetentionPolicy.Workqueue,
      max_msgs: QUEUE_LIMITS.texts,
      max_age: nanos(QUEUE_LIMITS.ageMs),
      discard: DiscardPolicy.New,
      num_replicas: replicas,
    });
    return new NatsQueue(jetstream(connection), manager, stream, prefix);
  }

  async put(key: string, text: string): Promise<void> {
    try {
      // A server that started or was chosen as leader a moment ago may not answer yet. The id keeps a text from being stored twice.
      const again = { msgID: randomUUID(), timeout: PUT_TIMEOUT_MS, retries: MAX_PUTS };
      await this.js.publish(`${this.prefix}.${tokenOf(key)}`, text, again);
    } catch (thrown) {
      throw (thrown as { code?: number }).code === MAXIMUM_MESSAGES ? queueFull() : thrown;
    }
  }

  async keys(): Promise<string[]> {
    const { state } = await this.manager.streams.info(this.stream, { subjects_filter: `${this.prefix}.*` });
    return Object.keys(state.subjects ?? {}).map((subject) =>
      decodeKey(subject.slice(this.prefix.length + 2)),
    );
  }

  async claim(key: string): Promise<WorkItem | undefined> {
    const name = tokenOf(key);
    if (!this.consumers.has(name)) {
      // The same call again changes nothing: every hub makes it.
      await this.manager.consumers.add(this.stream, {
        durable_name: name,
        filter_subject: `${this.prefix}.${name}`,
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(WORK_MS),
        max_ack_pending: QUEUE_LIMITS.texts,
      });
      this.consumers.add(name);
    }
    try {
      const consumer = await this.js.consumers.get(this.stream, name);
      const message = await consumer.next({ expires: NEXT_TIMEOUT_MS });
      return message ? workItem(message) : undefined;
    } catch (thrown) {
      // A server without its files has to get it again.
      this.consumers.delete(name);
      throw thrown;
    }
  }
}

/** A part of a subject is never empty, and a key may be. */
function tokenOf(key: string): string {
  return `k${encodeKey(key)}`;
}

function workItem(message: JsMsg): WorkItem {
  return {
    text: message.string(),
    attempt: message.info.deliveryCount,
    keep: () => message.working(),
    done: async () => void (await message.ackAck()),
    giveBack: (afterMs) => message.nak(afterMs),
  };
}
