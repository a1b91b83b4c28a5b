import type { KV, KvEntry } from "@nats-io/kv";
import type { QueuedIterator } from "@nats-io/transport-node";
import { LEASE_MS, MAX_ELECTION_MS, type Registry, type RegistryChange, type RegistryEntry } from "../bus.js";
import { retryFor, withDeadline } from "../deadline.js";
import { isConflict } from "./conflicts.js";
import type { Interrupts } from "./interrupts.js";
import { decodeKey, encodeKey } from "./subjects.js";

/** What was sent to a server that was lost at that moment is not answered: it is sent again soon. */
const ANSWER_TIMEOUT_MS = 2_000;
const RETRY_MS = 250;

/** A registry in a key-value bucket of JetStream. */
export class NatsRegistry implements Registry {
  constructor(
    private readonly kv: KV,
    private readonly interrupts: Interrupts,
  ) {}

  async get(key: string): Promise<RegistryEntry | undefined> {
    const getEntry = (): Promise<KvEntry | null> => this.answer(this.kv.get(encodeKey(key)));
    // Any server answers this: another one, if one is lost while it is asked.
    const entry = await getEntry().catch(getEntry);
    return entry && entry.operation === "PUT" ? read(entry) : undefined;
  }

  put(key: string, value: string): Promise<number> {
    return this.answer(this.kv.put(encodeKey(key), value));
  }

  async compareAndSet(key: string, value: string, revision: number): Promise<number | undefined> {
    try {
      const isNew = revision === 0;
      const name = encodeKey(key);
      return await this.answer(isNew ? this.kv.create(name, value) : this.kv.update(name, value, revision));
    } catch (thrown) {
      if (isConflict(thrown)) return undefined;
      throw thrown;
    }
  }

  async delete(key: string, revision?: number): Promise<void> {
    try {
      // Not `purge`: servers then leave out changes of other keys that they have not yet sent to watchers. A bucket keeps one value of
      // each key, so that the result is the same.
      await this.kv.delete(encodeKey(key), revision === undefined ? {} : { previousSeq: revision });
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
    }
  }

  private answer<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const late = (): Error => new Error("the bus does not answer");
    return withDeadline(this.interrupts.guard(answer), ANSWER_TIMEOUT_MS, late);
  }

  async watch(onChange: (change: RegistryChange) => void): Promise<void> {
    const { newest, changes } = await retryFor(MAX_ELECTION_MS, RETRY_MS, async () => {
      const { state } = (await this.kv.status()).streamInfo;
      return { newest: state.messages === 0 ? 0 : state.last_seq, changes: await this.kv.watch() };
    });
    await new Promise<void>((resolve) => {
      if (newest === 0) resolve();
      // Values that end in this moment are never reported.
      const late = setTimeout(resolve, LEASE_MS);
      void this.follow(changes, (change) => {
        onChange(change);
        // Not `delta`: servers go on counting values that were replaced before they were sent, so it may never be 0.
        if (change.revision < newest) return;
        clearTimeout(late);
        resolve();
      });
    });
  }

  /**
   * Reports changes until the connection is closed. After the connection was lost, nobody knows whether the server still sends them:
   * then it begins again, with all values.
   */
  private async follow(
    first: QueuedIterator<KvEntry>,
    onChange: (change: RegistryChange) => void,
  ): Promise<void> {
    let changes = first;
    let isAgain = false;
    this.interrupts.onReconnected(() => {
      isAgain = true;
      changes.stop();
    });
    for (;;) {
      for await (const entry of changes) onChange(read(entry));
      if (!isAgain) return;
      isAgain = false;
      const next = await this.watchAgain();
      if (!next) return;
      changes = next;
      if (isAgain) changes.stop();
    }
  }

  private async watchAgain(): Promise<QueuedIterator<KvEntry> | undefined> {
    while (!this.interrupts.isClosed) {
      const changes = await this.kv.watch().catch(() => undefined);
      if (changes) return changes;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return undefined;
  }
}

function read(entry: KvEntry): RegistryEntry {
  const isSet = entry.operation === "PUT";
  return {
    key: decodeKey(entry.key),
    value: isSet ? entry.string() : (undefined as unknown as string),
    revision: entry.revision,
  };
}
