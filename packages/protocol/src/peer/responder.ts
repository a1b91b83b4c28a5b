import { BridgeError } from "../errors.js";
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
  /** Absent if the wire cannot cancel a request. */
  cancel?(id: string): object;
}

export interface PeerHandlers<Request, Reply, Event> {
  /** Answers a request. What it throws becomes the wire's failure. `signal` aborts when the sender gives up. */
  onRequest?(body: Request, signal: AbortSignal): Promise<Reply> | Reply;
  onEvent?(event: Event): void;
  /** A frame that the wire does not allow, or a reply that nobody waits for. */
  onInvalid?(error: BridgeError, data: string): void;
  onClose?(reason: string): void;
}

/** Saved at load: in a page, the app may replace `JSON` later. */
const { stringify } = JSON;

/**
 * The end of a wire that only answers, such as the SDK in a page: it runs requests and sends their replies. `Peer` can
 * also send requests.
 */
export class Responder<Request, Reply, Event = never> {
  private readonly running = new Map<string, AbortController>();

  constructor(
    private readonly transport: Transport,
    protected readonly form: WireForm<Request, Reply, Event>,
    protected readonly handlers: PeerHandlers<Request, Reply, Event> = {},
  ) {
    transport.onMessage = (data) => this.receive(data);
    transport.onClose = (reason) => this.lose(reason);
  }

  /** Sends a message that expects no answer. */
  notify(message: object): void {
    this.send(message);
  }

  close(reason?: string): void {
    this.transport.close(reason);
  }

  protected send(message: object): void {
    this.transport.send(stringify(message));
  }

  /** Delivers a reply or a failure. Who only answers waits for none. */
  protected deliver(
    _incoming: Incoming<Request, Reply, Event> & { kind: "reply" | "failure" },
    _data: string,
  ): void {}

  /** Runs a request. Without a memory for keys, the handler must recognise a repeated one itself. */
  protected runOnce(_key: string | undefined, act: () => Promise<Reply>): Promise<Reply> {
    return act();
  }

  protected lose(reason: string): void {
    for (const controller of this.running.values()) controller.abort();
    this.handlers.onClose?.(reason);
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
      case "failure":
        this.deliver(incoming, data);
        return;
      case "cancel":
        this.running.get(incoming.id)?.abort();
        return;
      case "event":
        this.handlers.onEvent?.(incoming.event);
    }
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
      const reply = await this.runOnce(idempotencyKey, async () => onRequest(body, controller.signal));
      this.send(this.form.reply(id, body, reply));
    } catch (thrown) {
      this.send(this.form.failure(id, body, BridgeError.from(thrown)));
    } finally {
      if (id !== undefined) this.running.delete(id);
    }
  }
}
