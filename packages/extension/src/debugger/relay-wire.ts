import { BoundedQueue } from "@debug-bridge/protocol";
import { relayUrl } from "../connection/address.js";
import type { ConnectionState, RetryPolicy } from "../connection/state.js";
import type { Wire, WireLink } from "../connection/wire.js";
import type { ShareSettings } from "./access/sharing.js";

type Params = Readonly<Record<string, unknown>>;
type SendReply = (result: unknown, error?: string) => void;

export interface RelayWireOptions {
  /** Identifies this browser, so that a new worker can replace the last one at the relay. */
  readonly instance: () => string;
  readonly browser: () => object;
  readonly settings: () => ShareSettings;
  /** A request of the relay. The reply goes to the connection that asked. */
  readonly onRequest: (method: string, params: Params, reply: SendReply) => void;
  readonly onTabUsage: (tabId: number, clients: readonly string[]) => void;
  readonly onClientsWaiting: (clients: readonly string[], dashboard: string | undefined) => void;
  readonly onStatus: (status: ConnectionState["status"]) => void;
}

const QUEUE_LIMITS = { maxItems: 5_000, maxSize: 16_000_000 };

/** The extension wire with the relay: reads requests, writes replies and events. Events wait until it is connected. */
export class RelayWire implements Wire {
  readonly name = "relay";
  /** A relay that was lost may be restarting, so the first attempts are close together. */
  readonly policy: RetryPolicy = { firstMs: 50, maxMs: 1_000, maxRetries: 33, maxFirstRetries: 9 };
  readonly handshakeTimeoutMs = 5_000;
  readonly url = relayUrl;
  private link: WireLink | undefined;
  private queue = new BoundedQueue<string>(QUEUE_LIMITS);

  constructor(private readonly options: RelayWireOptions) {}

  socketUrl(url: string): string {
    return `${url}/extension?instance=${encodeURIComponent(this.options.instance())}`;
  }

  /** Sends an event now, or when the relay is connected again. */
  send(text: string): void {
    if (this.link) this.link.send(text);
    else
      this.queue.add(
        () => text,
        ({ length }) => length,
      );
  }

  notify(method: string, params: object): void {
    this.send(JSON.stringify({ method, params }));
  }

  onOpen(link: WireLink): void {
    this.link = link;
    link.send(JSON.stringify({ method: "hello", params: this.options.browser() }));
    this.reportAccess();
    const { items } = this.queue.after(0);
    this.clearQueue();
    for (const { item } of items) link.send(item);
    link.ready();
  }

  /** Reports the person's settings. Without a connection there is nothing to do: a new one starts with them. */
  reportAccess(): void {
    const { share, access } = this.options.settings();
    this.link?.send(JSON.stringify({ method: "accessChanged", params: { share, access } }));
  }

  onMessage(data: unknown, link: WireLink): void {
    let message: { id?: unknown; method?: unknown; params?: unknown };
    try {
      message = Object(JSON.parse(String(data)));
    } catch {
      return;
    }
    const { id, method } = message;
    const params = Object(message.params ?? {}) as Params;
    if (method === "ping") link.send('{"method":"pong"}');
    else if (method === "tabUsage") this.options.onTabUsage(Number(params.tabId), textsIn(params.clients));
    else if (method === "clientsWaiting")
      this.options.onClientsWaiting(
        textsIn(params.clients),
        typeof params.dashboard === "string" ? params.dashboard : undefined,
      );
    else if (typeof id === "number")
      this.options.onRequest(String(method ?? ""), params, (result, error) =>
        link.send(
          error === undefined
            ? `{"id":${id},"result":${JSON.stringify(result ?? {})}}`
            : JSON.stringify({ id, error }),
        ),
      );
  }

  onEnd(): void {
    this.link = undefined;
  }

  onState({ status }: ConnectionState): void {
    // Without a relay nobody will ever need these events.
    if (status === "failed" || status === "idle") this.clearQueue();
    this.options.onStatus(status);
  }

  private clearQueue(): void {
    this.queue = new BoundedQueue(QUEUE_LIMITS);
  }
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}
