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
import { queueFull } from "../memory-queue.js";
import { decodeKey, encodeKey } from "./subjects.js";

/** JetStream waits at least this long for a message. */
const TAKE_MS = 1_000;
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
      await this.js.publish(`${this.prefix}.${encodeKey(key)}`, text);
    } catch (thrown) {
      throw (thrown as { code?: number }).code === MAXIMUM_MESSAGES ? queueFull() : thrown;
    }
  }

  async keys(): Promise<string[]> {
    const { state } = await this.manager.streams.info(this.stream, { subjects_filter: `${this.prefix}.*` });
    return Object.keys(state.subjects ?? {}).map((subject) =>
      decodeKey(subject.slice(this.prefix.length + 1)),
    );
  }

  async take(key: string): Promise<WorkItem | undefined> {
    const name = encodeKey(key);
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
      const message = await consumer.next({ expires: TAKE_MS });
      return message ? workItem(message) : undefined;
    } catch (thrown) {
      // A server without its files has to be told again.
      this.consumers.delete(name);
      throw thrown;
    }
  }
}

function workItem(message: JsMsg): WorkItem {
  return {
    text: message.string(),
    attempt: message.info.deliveryCount,
    keep: () => message.working(),
    done: async () => void (await message.ackAck()),
    giveBack: () => message.nak(),
  };
}
