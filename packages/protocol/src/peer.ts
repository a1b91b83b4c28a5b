import { Correlator, type RequestOptions } from "./correlator.js";
import { BridgeError } from "./errors.js";
import { IdempotencyCache } from "./idempotency.js";
import type { Transport } from "./transport.js";

/** What a message means to a peer, whatever wire it came on. */
export type Incoming<Request, Reply, Event> =
  | {
      readonly kind: "request";
      readonly id: string | undefined;
      readonly body: Request;
      readonly idempotencyKey?: string | undefined;
    }
  | { readonly kind: "reply"; readonly id: string; readonly reply: Reply }
  | { readonly kind: "failure"; readonly id: string; readonly error: BridgeError }
  | { readonly kind: "cancel"; readonly id: string }
  | { readonly kind: "event"; readonly event: Event };

/** How requests, replies and events look on one wire. Pure: no state, no I/O. */
export interface WireForm<Request, Reply, Event> {
  /** Reads one frame; throws a BridgeError for what the wire does not allow. */
  read(data: string): Incoming<Request, Reply, Event>;
  request(id: string, body: Request, idempotencyKey?: string): object;
  reply(id: string | undefined, body: Request, reply: Reply): object;
  failure(id: string | undefined, body: Request, error: BridgeError): object;
  /** Absent where the wire cannot take a request back. */
  cancel?(id: string): object;
}

export interface PeerHandlers<Request, Reply, Event> {
  /** Answers a request. What it throws becomes the wire's failure. `signal` aborts when the asker gives up. */
  onRequest?(body: Request, signal: AbortSignal): Promise<Reply> | Reply;
  onEvent?(event: Event): void;
  /** A frame that the wire does not allow, or a reply that nobody waits for. */
  onInvalid?(error: BridgeError, data: string): void;
  onClose?(reason: string): void;
}

export interface PeerRequestOptions extends RequestOptions {
  readonly idempotencyKey?: string;
}

/** Taken at load: in a page, the app may replace `JSON` later. */
const { stringify } = JSON;
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * One end of a wire: asks and answers over a transport, in the form of that wire.
 *
 * @example
 * const peer = new Peer(transport, form, { onRequest: (command) => engine.run(command) });
 * const reply = await peer.request({ method: "listTabs" }, { timeoutMs: 5_000 });
 */
export class Peer<Request, Reply, Event = never> {
  private readonly waiting = new Correlator<Reply>();
  private readonly running = new Map<string, AbortController>();
  private readonly outcomes = new IdempotencyCache<Reply>();
  private nextId = 1;

  constructor(
    private readonly transport: Transport,
    private readonly form: WireForm<Request, Reply, Event>,
    private readonly handlers: PeerHandlers<Request, Reply, Event> = {},
    /** Put before the number in request ids, so that those of several peers differ. */
    private readonly idPrefix = "",
  ) {
    transport.onMessage = (data) => this.receive(data);
    transport.onClose = (reason) => this.lose(reason);
  }

  /** How many requests wait for a reply. */
  get pending(): number {
    return this.waiting.size;
  }

  request(body: Request, options: PeerRequestOptions = {}): Promise<Reply> {
    const id = `${this.idPrefix}${this.nextId++}`;
    const reply = this.waiting.open(id, { timeoutMs: DEFAULT_TIMEOUT_MS, ...options }, () => {
      if (this.form.cancel) this.send(this.form.cancel(id));
    });
    if (this.waiting.has(id)) this.send(this.form.request(id, body, options.idempotencyKey));
    return reply;
  }

  /** Sends a message that expects no answer. */
  notify(message: object): void {
    this.send(message);
  }

  close(reason?: string): void {
    this.transport.close(reason);
  }

  private send(message: object): void {
    this.transport.send(stringify(message));
  }

  private receive(data: string): void {
    let incoming: Incoming<Request, Reply, Event>;
    try {
      incoming = this.form.read(data);
    } catch (thrown) {
      this.handlers.onInvalid?.(BridgeError.from(thrown, "invalid_message"), data);
      return;
    }
    switch (incoming.kind) {
      case "request":
        void this.answer(incoming.id, incoming.body, incoming.idempotencyKey);
        return;
      case "reply":
        if (!this.waiting.settle(incoming.id, incoming.reply)) this.reportStray(incoming.id, data);
        return;
      case "failure":
        if (!this.waiting.fail(incoming.id, incoming.error)) this.reportStray(incoming.id, data);
        return;
      case "cancel":
        this.running.get(incoming.id)?.abort();
        return;
      case "event":
        this.handlers.onEvent?.(incoming.event);
    }
  }

  private reportStray(id: string, data: string): void {
    this.handlers.onInvalid?.(
      new BridgeError("invalid_message", `nobody waits for a reply with id "${id}"`),
      data,
    );
  }

  private async answer(
    id: string | undefined,
    body: Request,
    idempotencyKey: string | undefined,
  ): Promise<void> {
    const { onRequest } = this.handlers;
    const controller = new AbortController();
    if (id !== undefined) this.running.set(id, controller);
    try {
      if (!onRequest) throw new BridgeError("not_supported", "this peer answers no requests");
      const reply = await this.outcomes.run(idempotencyKey, async () => onRequest(body, controller.signal));
      this.send(this.form.reply(id, body, reply));
    } catch (thrown) {
      this.send(this.form.failure(id, body, BridgeError.from(thrown)));
    } finally {
      if (id !== undefined) this.running.delete(id);
    }
  }

  private lose(reason: string): void {
    this.waiting.lose(reason);
    for (const controller of this.running.values()) controller.abort();
    this.handlers.onClose?.(reason);
  }
}
