import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { BridgeError, errorFromBody } from "@debug-bridge/protocol";
import { type KV, Kvm } from "@nats-io/kv";
import { type Msg, type NatsConnection, RequestError } from "@nats-io/transport-node";
import {
  type Bus,
  type BusHandlers,
  type DurableLog,
  LEASE_MS,
  LOG_LIMITS,
  type LogLimits,
  MAX_BUS_MESSAGE,
  MAX_ELECTION_MS,
  REQUEST_TIMEOUT_MS,
  type Registry,
  type WorkQueue,
} from "../bus.js";
import { Channel, hubUnreachable } from "../channels/channel.js";
import { answerCounts, CONFIRM_MS, Confirmations } from "../channels/confirmations.js";
import { retryFor } from "../deadline.js";
import { connectNats, type NatsOptions } from "./connect.js";
import { Interrupts } from "./interrupts.js";
import { NatsLog } from "./log.js";
import { NatsQueue } from "./queue.js";
import { NatsRegistry } from "./registry.js";
import { checkedName } from "./subjects.js";

export interface NatsBusOptions extends NatsOptions {
  /** The prefix of this hub's name on the bus; by default the name of the machine. */
  readonly name?: string | undefined;
  /** How many NATS servers keep each value and record; 1 by default. */
  readonly replicas?: number | undefined;
  /** How much is stored of timelines. All hubs of a namespace need the same. */
  readonly logLimits?: LogLimits | undefined;
}

const DISCONNECTED = "the hub lost its connection to the bus";
const RETRY_MS = 250;
const TOKEN = /^[A-Za-z0-9_-]{1,150}$/;

/** Connects a hub to others over NATS, whose server needs JetStream. */
export async function connectNatsBus(options: NatsBusOptions): Promise<Bus> {
  const name = checkedName("--bus-name", options.name ?? hostname().replace(/[^A-Za-z0-9_-]/g, "-"));
  const { connection, namespace } = await connectNats(options);
  try {
    const interrupts = new Interrupts(connection);
    const stored = await openStores(connection, interrupts, namespace, options);
    return new NatsBus(
      `${name}-${randomBytes(3).toString("hex")}`,
      connection,
      interrupts,
      namespace,
      stored,
    );
  } catch (thrown) {
    await connection.close();
    throw new BridgeError(
      "app_not_connected",
      `the bus has no JetStream that this hub can use (${(thrown as Error).message}); start nats-server with -js`,
    );
  }
}

/** Opens what is stored on the bus. In a cluster that is choosing a leader, this takes until it has one. */
async function openStores(
  connection: NatsConnection,
  interrupts: Interrupts,
  namespace: string,
  { replicas = 1, logLimits = LOG_LIMITS }: NatsBusOptions,
): Promise<Pick<Bus, "hubs" | "sessions" | "log" | "queue">> {
  return retryFor(replicas > 1 ? MAX_ELECTION_MS : 0, RETRY_MS, async () => {
    const kvm = new Kvm(connection);
    const hubs = await kvm.create(`${namespace}-hubs`, { ttl: LEASE_MS, replicas });
    const sessions = await kvm.create(`${namespace}-sessions`, { replicas });
    const log = await NatsLog.open(connection, interrupts, namespace, replicas, logLimits);
    const queue = await NatsQueue.open(connection, namespace, replicas);
    const registry = (kv: KV): Registry => new NatsRegistry(kv, interrupts);
    return { hubs: registry(hubs), sessions: registry(sessions), log, queue };
  });
}

class NatsBus implements Bus {
  private readonly channels = new Map<string, Channel>();
  private readonly confirmations = new Confirmations((hub, question) => {
    const body = JSON.stringify({ from: this.hub, body: question });
    return this.requestSubject(`${this.prefix}.received.${hub}`, hub, body, CONFIRM_MS);
  });
  readonly hubs: Registry;
  readonly sessions: Registry;
  readonly log: DurableLog;
  readonly queue: WorkQueue;
  private readonly prefix: string;
  private nextChannel = 1;
  private isClosing = false;
  connectedSince: number | undefined = Date.now();

  constructor(
    readonly hub: string,
    private readonly connection: NatsConnection,
    private readonly interrupts: Interrupts,
    namespace: string,
    stored: Pick<Bus, "hubs" | "sessions" | "log" | "queue">,
  ) {
    this.prefix = namespace;
    this.hubs = stored.hubs;
    this.sessions = stored.sessions;
    this.log = stored.log;
    this.queue = stored.queue;
    void this.followConnection();
  }

  get servers(): string {
    const { server_id = "", connect_urls = [] } = this.connection.info ?? {};
    return [server_id, ...connect_urls.toSorted()].join(" ");
  }

  async listen(handlers: BusHandlers): Promise<void> {
    const on = (subject: string, callback: (message: Msg) => void): void => {
      this.connection.subscribe(subject, {
        callback: (error, message) => {
          if (!error) callback(message);
        },
      });
    };
    const onRequest: BusHandlers["onRequest"] = (body, from) => handlers.onRequest(body, from);
    on(`${this.prefix}.request.${this.hub}`, (message) => void this.answer(message, onRequest));
    const countReceived = (body: string, from: string): string =>
      answerCounts(body, from, (id) => this.channels.get(id));
    on(`${this.prefix}.received.${this.hub}`, (message) => void this.answer(message, countReceived));
    on(`${this.prefix}.open.${this.hub}`, (message) => this.accept(message, handlers));
    on(`${this.prefix}.channel.${this.hub}.*`, (message) => this.receive(message));
    on(`${this.prefix}.notice.*`, (message) =>
      handlers.onNotice(message.string(), lastToken(message.subject)),
    );
    // What was sent to a hub while it had no connection is lost, and it cannot know what that was.
    on(`${this.prefix}.reset.*`, (message) => this.dropHub(lastToken(message.subject)));
    await this.connection.flush();
  }

  request(hub: string, body: string, timeoutMs = REQUEST_TIMEOUT_MS): Promise<string> {
    return this.requestSubject(
      `${this.prefix}.request.${hub}`,
      hub,
      JSON.stringify({ from: this.hub, body }),
      timeoutMs,
    );
  }

  async open(hub: string, head: string, timeoutMs = REQUEST_TIMEOUT_MS): Promise<Channel> {
    // What is sent now arrives before the news that this hub was away, at which the other end drops its channels.
    if (this.connectedSince === undefined) throw hubUnreachable(hub, DISCONNECTED);
    const mine = `${this.hub}-${this.nextChannel++}`;
    // Both ends have the same id: each hub has a separate subject for it.
    const channel = this.channel(hub, mine);
    try {
      const body = JSON.stringify({ from: this.hub, id: mine, head });
      await this.requestSubject(`${this.prefix}.open.${hub}`, hub, body, timeoutMs);
      return channel;
    } catch (thrown) {
      channel.close(1011, "it was not opened in time");
      throw thrown;
    }
  }

  notify(text: string): void {
    checkSize(text);
    this.publish(`${this.prefix}.notice.${this.hub}`, text);
  }

  dropHub(hub: string): void {
    this.confirmations.forget(hub);
    this.interrupts.interruptHub(hub);
    for (const channel of this.channels.values())
      if (channel.peer === hub) channel.drop(`the hub "${hub}" is gone`);
  }

  async isConnected(hub: string): Promise<boolean> {
    const question = JSON.stringify({ from: this.hub, body: "[]" });
    const subject = `${this.prefix}.received.${hub}`;
    try {
      await this.interrupts.guard(this.connection.request(subject, question, { timeout: CONFIRM_MS }));
      return true;
    } catch (thrown) {
      // Servers say so when nobody listens to a subject. Anything else only means that no answer came.
      return !(thrown instanceof RequestError && thrown.isNoResponders());
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    for (const channel of this.channels.values()) channel.close(1001, "the hub is shutting down");
    this.confirmations.close();
    this.connectedSince = undefined;
    // A drain waits for a server that may be gone.
    if (this.connection.isClosed()) return;
    await Promise.race([
      this.connection.drain().catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
    ]);
    await this.connection.close();
  }

  /** Sends, unless this hub is leaving the bus: a connection that drains throws. */
  private publish(subject: string, data?: string | Uint8Array): void {
    if (!this.connection.isClosed() && !this.connection.isDraining()) this.connection.publish(subject, data);
  }

  private async requestSubject(
    subject: string,
    hub: string,
    body: string,
    timeoutMs: number,
  ): Promise<string> {
    checkSize(body);
    let message: Msg;
    try {
      message = await this.interrupts.guard(
        this.connection.request(subject, body, { timeout: timeoutMs }),
        hub,
      );
    } catch (thrown) {
      throw hubUnreachable(hub, (thrown as Error).message);
    }
    const answer = readObject(message.string());
    if (typeof answer?.answer === "string") return answer.answer;
    throw errorFromBody((answer?.error ?? {}) as Parameters<typeof errorFromBody>[0]);
  }

  private async answer(message: Msg, reply: BusHandlers["onRequest"]): Promise<void> {
    const { from, body } = readObject(message.string()) ?? {};
    if (!isToken(from) || typeof body !== "string") return;
    try {
      const answer = await reply(body, from);
      checkSize(answer);
      respond(message, { answer });
    } catch (thrown) {
      respond(message, { error: BridgeError.from(thrown).toBody() });
    }
  }

  private accept(message: Msg, handlers: BusHandlers): void {
    const { from, id, head } = readObject(message.string()) ?? {};
    if (!isToken(from) || typeof head !== "string" || !isToken(id) || this.channels.has(id)) return;
    const channel = this.channel(from, id);
    try {
      handlers.onChannel(head, channel, from);
      respond(message, { answer: "" });
    } catch (thrown) {
      this.channels.delete(id);
      respond(message, { error: BridgeError.from(thrown).toBody() });
    }
  }

  private receive(message: Msg): void {
    const { data } = message;
    this.channels
      .get(lastToken(message.subject))
      ?.receive(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }

  private channel(peer: string, id: string): Channel {
    const subject = `${this.prefix}.channel.${peer}.${id}`;
    const post = (packet: Buffer): void => {
      this.publish(subject, packet);
    };
    const onEnded = (): void => void this.channels.delete(id);
    const channel = new Channel(peer, post, onEnded, (each) => this.confirmations.add(id, each));
    this.channels.set(id, channel);
    return channel;
  }

  /** What was sent while the connection was lost is lost too, so no channel survives it. */
  private async followConnection(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === "disconnect") {
        this.connectedSince = undefined;
        for (const channel of this.channels.values()) channel.close(1012, DISCONNECTED);
      } else if (type === "reconnect" && !this.isClosing) {
        this.connectedSince = Date.now();
        this.connection.publish(`${this.prefix}.reset.${this.hub}`);
      }
    }
  }
}

function respond(message: Msg, body: object): void {
  try {
    message.respond(JSON.stringify(body));
  } catch {
    // The connection is gone; the hub that asked notices it at the deadline.
  }
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Names of hubs and channels become parts of subjects. */
function isToken(name: unknown): name is string {
  return typeof name === "string" && TOKEN.test(name);
}

function lastToken(subject: string): string {
  return subject.slice(subject.lastIndexOf(".") + 1);
}

function checkSize(text: string): void {
  if (Buffer.byteLength(text) > MAX_BUS_MESSAGE)
    throw new BridgeError("too_large", `a message to another hub has more than ${MAX_BUS_MESSAGE} bytes`);
}
