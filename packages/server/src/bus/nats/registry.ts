import type { KV, KvEntry } from "@nats-io/kv";
import type { Registry, RegistryChange, RegistryEntry } from "../bus.js";
import { decodeKey, encodeKey } from "./subjects.js";

/** The code of JetStream for "somebody else was faster". */
const WRONG_LAST_SEQUENCE = 10071;

/** A registry in a key-value bucket of JetStream. */
export class NatsRegistry implements Registry {
  constructor(private readonly kv: KV) {}

  async get(key: string): Promise<RegistryEntry | undefined> {
    const entry = await this.kv.get(encodeKey(key));
    return entry && entry.operation === "PUT" ? read(entry) : undefined;
  }

  put(key: string, value: string): Promise<number> {
    return this.kv.put(encodeKey(key), value);
  }

  async compareAndSet(key: string, value: string, revision: number): Promise<number | undefined> {
    try {
      return revision === 0
        ? await this.kv.create(encodeKey(key), value)
        : await this.kv.update(encodeKey(key), value, revision);
    } catch (thrown) {
      if (isConflict(thrown)) return undefined;
      throw thrown;
    }
  }

  async delete(key: string, revision?: number): Promise<void> {
    try {
      await this.kv.purge(encodeKey(key), revision === undefined ? {} : { previousSeq: revision });
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
    }
  }

  async watch(onChange: (change: RegistryChange) => void): Promise<void> {
    const { values } = await this.kv.status();
    const changes = await this.kv.watch();
    await new Promise<void>((resolve) => {
      if (values === 0) resolve();
      void (async () => {
        for await (const entry of changes) {
          onChange(read(entry));
          if (entry.delta === 0) resolve();
        }
        resolve();
      })();
    });
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

function isConflict(thrown: unknown): boolean {
  const { code, message } = thrown as { code?: unknown; message?: unknown };
  return code === WRONG_LAST_SEQUENCE || /wrong last sequence/i.test(String(message));
}
