import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type MsgRequest,
  type NextMsgRequest,
} from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import type { DurableLog, LogLimits, StoredText } from "../bus.js";
import { isConflict } from "./conflicts.js";
import type { Interrupts } from "./interrupts.js";
import { readTexts } from "./stored-texts.js";
import { encodeKey } from "./subjects.js";

/** A server that was chosen as leader a moment ago does not know of what was sent to the one before: it is sent again soon. */
const PUBLISH_TIMEOUT_MS = 1_000;

/** Batches of records in a JetStream stream that has one subject per session. */
export class NatsLog implements DurableLog {
  private constructor(
    private readonly js: JetStreamClient,
    private readonly interrupts: Interrupts,
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly prefix: string,
  ) {}

  static async open(
    connection: NatsConnection,
    interrupts: Interrupts,
    namespace: string,
    replicas: number,
    limits: LogLimits,
  ): Promise<NatsLog> {
    const manager = await jetstreamManager(connection);
    const stream = `${namespace}-timeline`;
    const prefix = `${namespace}.timeline`;
    // The same call again changes nothing: every hub makes it.
    await manager.streams.add({
      name: stream,
      subjects: [`${prefix}.*`],
      max_bytes: limits.bytes,
      max_age: nanos(limits.ageMs),
      max_msgs_per_subject: limits.batchesPerSession,
      discard: "old",
      allow_direct: true,
      num_replicas: replicas,
    });
    return new NatsLog(jetstream(connection), interrupts, manager, stream, prefix);
  }

  async append(sessionId: string, text: string, after: number): Promise<number | undefined> {
    const options = { timeout: PUBLISH_TIMEOUT_MS, expect: { lastSubjectSequence: after } };
    try {
      return (await this.interrupts.guard(this.js.publish(this.subject(sessionId), text, options))).seq;
    } catch (thrown) {
      if (isConflict(thrown)) return undefined;
      throw thrown;
    }
  }

  async newest(sessionId: string): Promise<StoredText | undefined> {
    return this.find({ last_by_subj: this.subject(sessionId) });
  }

  async next(sessionId: string, after: number): Promise<StoredText | undefined> {
    return this.find({ seq: after + 1, next_by_subj: this.subject(sessionId) });
  }

  read(sessionId: string, upTo: number): Promise<StoredText[]> {
    const stored = { stream: this.stream, subject: this.subject(sessionId), newest: upTo };
    return this.interrupts.guard(readTexts(this.js, this.manager, stored));
  }

  async purge(sessionId: string): Promise<void> {
    await this.manager.streams.purge(this.stream, { filter: this.subject(sessionId) });
  }

  /** Only the leader answers this, so that it is not behind. */
  private async find(query: MsgRequest | NextMsgRequest): Promise<StoredText | undefined> {
    const asked = this.manager.streams.getMessage(this.stream, query as MsgRequest);
    const found = await this.interrupts.guard(asked);
    return found ? { number: found.seq, text: found.string() } : undefined;
  }

  private subject(sessionId: string): string {
    return `${this.prefix}.${encodeKey(sessionId)}`;
  }
}
