import { randomBytes } from "node:crypto";
import { BridgeError } from "@debug-bridge/protocol";
import { steadyNow } from "../../bounds/steady-clock.js";
import {
  type Bus,
  type BusHandlers,
  type DurableLog,
  LEASE_MS,
  LOG_LIMITS,
  MAX_BUS_MESSAGE,
  REQUEST_TIMEOUT_MS,
  type Registry,
  type RegistryChange,
  type RegistryEntry,
  type StoredText,
  type WorkQueue,
} from "../bus.js";
import { Channel, hubUnreachable } from "../channels/channel.js";
import { answerCounts, Confirmations } from "../channels/confirmations.js";
import { withDeadline } from "../deadline.js";
import { MemoryQueue } from "./memory-queue.js";

/** What the log keeps of one session. */
const MAX_LOG_CHARACTERS = 16_000_000;

/**
 * A bus in memory, for several hubs of one process.
 *
 * @example
 * const exchange = new MemoryExchange();
 * const first = await startHub({ bus: exchange.connect("first") });
 * const second = await startHub({ bus: exchange.connect("second") });
 */
export class MemoryExchange {
  readonly hubs = new MemoryRegistry(LEASE_MS);
  readonly sessions = new MemoryRegistry();
  readonly log = new MemoryLog();
  readonly queue = new MemoryQueue();
  private readonly members = new Map<string, MemoryBus>();

  /** Connects a hub under a name, to which a few random characters are added. */
  connect(name = "hub"): Bus {
    return new MemoryBus(`${name}-${randomBytes(3).toString("hex")}`, this);
  }

  find(hub: string): MemoryBus | undefined {
    return this.members.get(hub);
  }

  join(bus: MemoryBus): void {
    this.members.set(bus.hub, bus);
  }

  leave(bus: MemoryBus): void {
    this.members.delete(bus.hub);
  }

  others(bus: MemoryBus): MemoryBus[] {
    return [...this.members.values()].filter((each) => each !== bus);
  }
}

class MemoryBus implements Bus {
  private handlers: BusHandlers | undefined;
  private readonly channels = new Map<string, Channel>();
  private readonly confirmations = new Confirmations(async (hub, question) => {
    const { channels } = this.peer(hub);
    return answerCounts(question, this.hub, (id) => channels.get(id));
  });
  private nextChannel = 1;
  readonly servers = "";
  connectedSince: number | undefined = Date.now();

  constructor(
    readonly hub: string,
    private readonly exchange: MemoryExchange,
  ) {}

  get hubs(): Registry {
    return this.exchange.hubs;
  }

  get sessions(): Registry {
    return this.exchange.sessions;
  }

  get log(): DurableLog {
    return this.exchange.log;
  }

  get queue(): WorkQueue {
    return this.exchange.queue;
  }

  async listen(handlers: BusHandlers): Promise<void> {
    this.handlers = handlers;
    this.exchange.join(this);
  }

  async request(hub: string, body: string, timeoutMs = REQUEST_TIMEOUT_MS): Promise<string> {
    checkSize(body);
    const { handlers } = this.peer(hub);
    if (!handlers) throw hubUnreachable(hub, "it is gone");
    const answer = Promise.resolve().then(() => handlers.onRequest(body, this.hub));
    const text = await withDeadline(answer, timeoutMs, () => hubUnreachable(hub, "it took too long"));
    checkSize(text);
    return text;
  }

  async open(hub: string, head: string): Promise<Channel> {
    checkSize(head);
    const peer = this.peer(hub);
    if (!peer.handlers) throw hubUnreachable(hub, "it is gone");
    const id = `${this.hub}-${this.nextChannel++}`;
    const mine = this.channel(hub, id, (packet) => theirs.receive(packet));
    const theirs = peer.channel(this.hub, id, (packet) => mine.receive(packet));
    try {
      peer.handlers.onChannel(head, theirs, this.hub);
    } catch (thrown) {
      this.channels.delete(id);
      peer.channels.delete(id);
      throw BridgeError.from(thrown);
    }
    return mine;
  }

  notify(text: string): void {
    checkSize(text);
    for (const other of this.exchange.others(this))
      queueMicrotask(() => other.handlers?.onNotice(text, this.hub));
  }

  dropHub(hub: string): void {
    this.confirmations.forget(hub);
    for (const channel of this.channels.values())
      if (channel.peer === hub) channel.drop(`the hub "${hub}" is gone`);
  }

  async isConnected(hub: string): Promise<boolean> {
    return this.exchange.find(hub) !== undefined;
  }

  async close(): Promise<void> {
    for (const channel of this.channels.values()) channel.close(1001, "the hub is shutting down");
    this.confirmations.close();
    this.handlers = undefined;
    this.connectedSince = undefined;
    this.exchange.leave(this);
  }

  private peer(hub: string): MemoryBus {
    const peer = this.exchange.find(hub);
    if (!peer) throw hubUnreachable(hub, "it is gone");
    return peer;
  }

  private channel(peer: string, id: string, receive: (packet: Buffer) => void): Channel {
    const post = (packet: Buffer): void => queueMicrotask(() => receive(packet));
    const onEnded = (): void => void this.channels.delete(id);
    const channel = new Channel(peer, post, onEnded, (each) => this.confirmations.add(id, each));
    this.channels.set(id, channel);
    return channel;
  }
}

class MemoryRegistry implements Registry {
  private readonly entries = new Map<string, { readonly entry: RegistryEntry; readonly at: number }>();
  private readonly watchers = new Set<(change: RegistryChange) => void>();
  private revision = 0;

  constructor(private readonly expireMs = Number.POSITIVE_INFINITY) {}

  async get(key: string): Promise<RegistryEntry | undefined> {
    return this.current(key);
  }

  async put(key: string, value: string): Promise<number> {
    checkSize(value);
    const revision = ++this.revision;
    this.entries.set(key, { entry: { key, value, revision }, at: steadyNow() });
    this.report({ key, value, revision });
    return revision;
  }

  async compareAndSet(key: string, value: string, revision: number): Promise<number | undefined> {
    return (this.current(key)?.revision ?? 0) === revision ? this.put(key, value) : undefined;
  }

  async delete(key: string, revision?: number): Promise<void> {
    const current = this.current(key);
    if (!current || (revision !== undefined && current.revision !== revision)) return;
    this.entries.delete(key);
    this.report({ key, value: undefined, revision: ++this.revision });
  }

  async watch(onChange: (change: RegistryChange) => void): Promise<void> {
    for (const key of this.entries.keys()) {
      const entry = this.current(key);
      if (entry) onChange(entry);
    }
    this.watchers.add(onChange);
  }

  private current(key: string): RegistryEntry | undefined {
    const held = this.entries.get(key);
    return held && steadyNow() - held.at < this.expireMs ? held.entry : undefined;
  }

  private report(change: RegistryChange): void {
    for (const watcher of this.watchers) queueMicrotask(() => watcher(change));
  }
}

class MemoryLog implements DurableLog {
  private readonly texts = new Map<string, StoredText[]>();
  private last = 0;

  async append(sessionId: string, text: string, after: number): Promise<number | undefined> {
    checkSize(text);
    const texts = this.texts.get(sessionId) ?? [];
    if ((texts.at(-1)?.number ?? 0) !== after) return undefined;
    texts.push({ number: ++this.last, text });
    let characters = texts.reduce((sum, each) => sum + each.text.length, 0);
    while (texts.length > LOG_LIMITS.batchesPerSession || characters > MAX_LOG_CHARACTERS)
      characters -= texts.shift()?.text.length ?? 0;
    this.texts.set(sessionId, texts);
    return this.last;
  }

  async newest(sessionId: string): Promise<StoredText | undefined> {
    return this.texts.get(sessionId)?.at(-1);
  }

  async next(sessionId: string, after: number): Promise<StoredText | undefined> {
    return this.texts.get(sessionId)?.find(({ number }) => number > after);
  }

  async read(sessionId: string, upTo: number): Promise<StoredText[]> {
    return (this.texts.get(sessionId) ?? []).filter(({ number }) => number <= upTo);
  }

  async purge(sessionId: string): Promise<void> {
    this.texts.delete(sessionId);
  }
}

function checkSize(text: string): void {
  if (Buffer.byteLength(text) > MAX_BUS_MESSAGE)
    throw new BridgeError("too_large", `a message to another hub has more than ${MAX_BUS_MESSAGE} bytes`);
}
