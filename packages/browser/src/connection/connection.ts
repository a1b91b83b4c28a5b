import { platform, type TelemetryBody } from "@debug-bridge/page/capture";
import { backoffDelay, type Command, type HubMessage, PAGE_LEFT_CODE } from "@debug-bridge/protocol";
import { SocketTransport } from "./socket-transport.js";
import type { TelemetryBuffer, Wire } from "./telemetry-buffer.js";

/** A hub that knows only the first protocol never sends `welcome`. */
const WELCOME_TIMEOUT_MS = 200;
const BACKOFF = { firstMs: 250, maxMs: 30_000 };
/** Browsers print an error for each attempt, so without a hub there are few: the longest delay comes first. */
const WITHOUT_HUB = 7;
/** A connection that lasted this long resets the back-off. */
const STABLE_AFTER_MS = 5_000;

export interface ConnectionOptions {
  /** One after the other, and then from the start. */
  readonly urls: string[];
  readonly protocols: string[];
  readonly instanceId: string;
  readonly telemetryBuffer: TelemetryBuffer;
  /** `hello` and `capabilities`, created for each connection. */
  greeting(): TelemetryBody[];
  /**
   * Time for the first snapshot, tree and state; `isCurrent` returns whether this connection is still the current one.
   */
  onReady(isCurrent: () => boolean): void;
  onLost(wire: Wire): void;
  /** No hub answered. */
  onMissing(): void;
  /** How many agents are attached, and whether all of them understand differences of the tree. */
  onAgents(count: number, deltas: boolean): void;
  /** Whatever is not about the connection itself, as it came. */
  onCommand(command: Pick<Command, "type" | "requestId">, data: string, wire: Wire): void;
}

/** Keeps one connection to the hub open: connects, greets, resumes, and reconnects when it breaks. */
export class Connection {
  private wanted = false;
  private suspended = false;
  private transport: SocketTransport | undefined;
  private attempt = 0;
  private dials = 0;
  private retryTimer: number | undefined;
  private welcomeTimer: number | undefined;
  /** What this hub is known to have received, if it does not report it itself. */
  private delivered = 0;

  constructor(private readonly options: ConnectionOptions) {}

  open(): void {
    if (this.wanted) return;
    this.wanted = true;
    this.attempt = 0;
    this.dial();
  }

  close(): void {
    this.wanted = false;
    platform.clearTimeout(this.retryTimer);
    this.transport?.close("disconnected by the app");
  }

  /** Closes the connection until `unsuspend`: a frozen page would keep it open and answer nothing. */
  suspend(): void {
    this.suspended = true;
    platform.clearTimeout(this.retryTimer);
    this.transport?.close("the page is cached", PAGE_LEFT_CODE);
  }

  unsuspend(): void {
    if (!this.suspended) return;
    this.suspended = false;
    if (this.wanted) this.dial();
  }

  private dial(): void {
    let transport: SocketTransport;
    const { urls, protocols } = this.options;
    try {
      transport = new SocketTransport(urls[this.dials++ % urls.length] as string, protocols);
    } catch {
      this.miss();
      return;
    }
    this.transport = transport;
    let opened = 0;
    transport.onMessage = (data) => this.receive(data, transport);
    transport.onClose = () => {
      platform.clearTimeout(this.welcomeTimer);
      this.transport = undefined;
      this.delivered = this.options.telemetryBuffer.lastSeq;
      this.options.telemetryBuffer.detach();
      if (opened > 0) {
        this.options.onLost(transport);
        if (platform.now() - opened > STABLE_AFTER_MS) this.attempt = 0;
        this.retry();
      } else this.miss();
    };
    transport.onOpen = () => {
      opened = platform.now();
      for (const message of this.options.greeting())
        transport.send(this.options.telemetryBuffer.write(message));
      this.welcomeTimer = platform.setTimeout(() => this.goOn(transport, this.delivered), WELCOME_TIMEOUT_MS);
    };
  }

  private receive(data: string, transport: SocketTransport): void {
    let event: HubMessage | Command | undefined;
    try {
      event = platform.parse(data) as typeof event;
    } catch {
      // No hub sends anything but JSON; what another server sends must not end the connection.
    }
    if (typeof event?.type !== "string") return;
    if (event.type === "welcome") {
      transport.joinsChunks = true;
      const ours = event.instanceId === undefined || event.instanceId === this.options.instanceId;
      this.goOn(transport, ours ? event.lastSeq : 0);
      this.options.onAgents(event.agents, event.deltas === true);
    } else if (event.type === "bridge_error") this.warn(event.message);
    else if (event.type === "agents_changed") this.options.onAgents(event.agents, event.deltas === true);
    else this.options.onCommand(event as Command, data, transport);
  }

  /** Shows the developer, once, what the hub has against this page: nobody else can change it. */
  private warn(message: string): void {
    this.warn = () => {};
    console.warn(`debug-bridge: ${message}`);
  }

  /** Once per connection: sends what the hub has not seen, then the current state. */
  private goOn(transport: SocketTransport, lastSeq: number): void {
    if (this.welcomeTimer === undefined || transport !== this.transport) return;
    platform.clearTimeout(this.welcomeTimer);
    this.welcomeTimer = undefined;
    this.options.telemetryBuffer.attach(transport, lastSeq);
    this.options.onReady(() => transport === this.transport);
  }

  private miss(): void {
    // The more there are, the sooner the next one is tried.
    this.attempt ||= WITHOUT_HUB / this.options.urls.length;
    if (this.wanted) this.options.onMissing();
    this.retry();
  }

  private retry(): void {
    if (!this.wanted || this.suspended) return;
    this.retryTimer = platform.setTimeout(() => this.dial(), backoffDelay(this.attempt++, BACKOFF));
  }
}
