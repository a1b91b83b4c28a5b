import { BridgeError } from "../errors.js";
import { Correlator, type RequestOptions } from "./correlator.js";
import { IdempotencyCache } from "./idempotency.js";
import { type Incoming, type PeerHandlers, Responder, type WireForm } from "./responder.js";
import type { Transport } from "./transport.js";

export interface PeerRequestOptions extends RequestOptions {
  readonly idempotencyKey?: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * One end of a wire: sends and answers requests over a transport, in the form of that wire.
 *
 * @example
 * const peer = new Peer(transport, form, { onRequest: (command) => engine.run(command) });
 * const reply = await peer.request({ method: "listTabs" }, { timeoutMs: 5_000 });
 */
export class Peer<Request, Reply, Event = never> extends Responder<Request, Reply, Event> {
  private readonly waiting = new Correlator<Reply>();
  private readonly outcomes = new IdempotencyCache<Reply>();
  private nextId = 1;

  constructor(
    transport: Transport,
    form: WireForm<Request, Reply, Event>,
    handlers: PeerHandlers<Request, Reply, Event> = {},
    /** Put before the number in request ids, so that those of several peers differ. */
    private readonly idPrefix = "",
  ) {
    super(transport, form, handlers);
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

  protected override deliver(
    incoming: Incoming<Request, Reply, Event> & { kind: "reply" | "failure" },
    data: string,
  ): void {
    const { id } = incoming;
    const isAwaited =
      incoming.kind === "reply"
        ? this.waiting.settle(id, incoming.reply)
        : this.waiting.fail(id, incoming.error);
    if (isAwaited) return;
    const message = `nobody waits for a reply with id "${id}"`;
    this.handlers.onInvalid?.(new BridgeError("invalid_message", message), data);
  }

  protected override runOnce(key: string | undefined, act: () => Promise<Reply>): Promise<Reply> {
    return this.outcomes.run(key, act);
  }

  protected override lose(reason: string): void {
    this.waiting.lose(reason);
    super.lose(reason);
  }
}
