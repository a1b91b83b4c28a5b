import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  ReplayPolicy,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { steadyNow } from "../../bounds/steady-clock.js";
import { MAX_ELECTION_MS, type StoredText } from "../bus.js";
import { busLost } from "../members/places.js";

/** Messages that a server sends at once. */
const BATCH = 500;
/** How long a server may take to send something: with many sessions on a busy machine, longer than a second. */
const FETCH_MS = 4_000;
/** How long to wait before a server that has not got the newest message yet is asked again. */
const RETRY_DELAY_MS = 20;

/** Where texts are stored, and the number of the newest one, which the leader knows. */
export interface StoredTexts {
  readonly stream: string;
  readonly subject: string;
  readonly newest: number;
}

/** The texts of a subject, oldest first. */
export async function readTexts(
  js: JetStreamClient,
  manager: JetStreamManager,
  stored: StoredTexts,
): Promise<StoredText[]> {
  try {
    return await readInBatches(js, manager, stored);
  } catch {
    // Servers that choose a leader let nobody read in batches.
    return readOneByOne(manager, stored);
  }
}

async function readInBatches(
  js: JetStreamClient,
  manager: JetStreamManager,
  { stream, subject, newest }: StoredTexts,
): Promise<StoredText[]> {
  const info = await manager.consumers.add(stream, {
    ...{ filter_subject: subject, deliver_policy: DeliverPolicy.All, replay_policy: ReplayPolicy.Instant },
    ...{ ack_policy: AckPolicy.None, mem_storage: true, num_replicas: 1, inactive_threshold: nanos(5_000) },
  });
  const texts: StoredText[] = [];
  // The server deletes it when nobody reads, which is not now, when many sessions are taken over.
  const consumer = js.consumers.getConsumerFromInfo(info);
  for (let last = 0; last < newest; ) {
    const before = last;
    for await (const message of await consumer.fetch({ max_messages: BATCH, expires: FETCH_MS })) {
      texts.push({ number: message.seq, text: message.string() });
      if (message.info.deliverySequence !== texts.length) throw new Error("a message was lost");
      last = message.seq;
      if (last >= newest) break;
    }
    if (last === before) throw new Error("the server sends nothing");
  }
  return texts;
}

/** From any server, which may be a moment behind. */
async function readOneByOne(
  manager: JetStreamManager,
  { stream, subject, newest }: StoredTexts,
): Promise<StoredText[]> {
  const texts: StoredText[] = [];
  const ends = steadyNow() + MAX_ELECTION_MS;
  for (let seq = 1; seq <= newest; ) {
    // It was deleted meanwhile.
    if (steadyNow() > ends) throw busLost();
    const message = await manager.direct.getMessage(stream, { seq, next_by_subj: subject });
    if (message) {
      texts.push({ number: message.seq, text: message.string() });
      seq = message.seq + 1;
    } else await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
  }
  return texts;
}
