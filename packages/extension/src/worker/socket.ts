import { CONSOLE_PROTOCOL_VERSION, CONSOLE_SUPPORTED_VERSIONS, isCompatible } from "@debug-bridge/protocol";
import { retryDelay } from "./backoff.js";
import { type ClientInfo, errorText, pingText, pongText, statusText } from "./envelope.js";
import { type HubMessage, readHubMessage } from "./hub-messages.js";
import { after, type ConnectionState, type Happening, NOT_CONNECTED } from "./state.js";

/** As much of a WebSocket as is used, so that tests can stand in for it. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface HubLinkOptions {
  readonly open: (address: string) => SocketLike;
  readonly clientInfo: () => Promise<ClientInfo>;
  readonly onState: (state: ConnectionState) => void;
  /** Both sides have introduced themselves; events may go. */
  readonly onReady: () => void;
  /** The connection is gone; what was not confirmed may not have arrived. */
  readonly onLost: () => void;
  readonly logError: (text: string) => void;
}

const HANDSHAKE_MS = 5_000;
const PONG_MS = 15_000;
/** Often enough that Chrome, which stops an idle worker after 30 s, leaves this one alone. */
const IDLE_PING_MS = 20_000;

/** The connection with the hub: introduces itself, stays alive, comes back when it breaks. */
export class HubLink {
  state: ConnectionState = NOT_CONNECTED;
  private socket: SocketLike | undefined;
  private address = "";
  private ready = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  private pings = 0;
  private awaited: { readonly id: string; readonly sentAt: number; readonly done: () => void } | undefined;

  constructor(private readonly options: HubLinkOptions) {}

  get isReady(): boolean {
    return this.ready;
  }

  /** Connects unless that is already under way. */
  connect(address: string): void {
    if (this.socket || this.state.status === "waiting") return;
    this.address = address;
    this.open();
  }

  /** Starts over, as when a person asks for it. */
  restart(address: string): void {
    this.drop();
    this.address = address;
    this.note({ kind: "retry-asked" });
    this.open();
  }

  /** Takes over where a worker that was stopped had given up: waits to be asked. */
  standBy(address: string): void {
    this.address = address;
    this.note({ kind: "lost", reason: `${address}: nothing answered there`, retryAt: undefined });
  }

  /** Tries again when all attempts have failed. */
  nudge(): void {
    if (this.state.status === "failed") this.restart(this.address);
  }

  send(text: string): void {
    if (this.ready) this.socket?.send(text);
  }

  /** Asks the hub for a sign of life; `done` is called when it has read everything that was sent before. */
  ping(done: () => void = () => {}): boolean {
    if (!this.ready || this.awaited) return false;
    clearTimeout(this.idleTimer);
    const id = `ping-${++this.pings}-${Date.now()}`;
    this.awaited = { id, sentAt: performance.now(), done };
    this.send(pingText(id));
    this.after(PONG_MS, () => this.fail(`the hub did not answer a ping within ${PONG_MS / 1_000} s`));
    return true;
  }

  private open(): void {
    this.note({ kind: "connecting" });
    let socket: SocketLike;
    try {
      socket = this.options.open(this.address);
    } catch (thrown) {
      this.lose(`${this.address} is no address of a hub: ${(thrown as Error).message}`);
      return;
    }
    this.socket = socket;
    socket.onopen = () => {
      void this.options.clientInfo().then((info) => {
        if (this.socket === socket) socket.send(statusText("connected", info));
      });
    };
    socket.onmessage = ({ data }) => {
      if (this.socket === socket) this.receive(data);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      const why =
        reason || (code === 1006 ? "nothing answers there, or it broke off" : `closed with code ${code}`);
      this.lose(`${this.address}: ${why}`);
    };
    this.after(HANDSHAKE_MS, () =>
      this.fail(`${this.address} did not introduce itself within ${HANDSHAKE_MS / 1_000} s`),
    );
  }

  private receive(data: unknown): void {
    const message = readHubMessage(data);
    if (typeof message === "string") {
      this.options.logError(`from the hub: ${message}`);
      this.note({ kind: "message-error", text: message });
      return;
    }
    switch (message.type) {
      case "ping":
        this.socket?.send(pongText(message.id));
        break;
      case "pong":
        this.gotPong(message.id);
        break;
      case "error":
        this.gotError(message);
        break;
      case "connection_status":
        if (message.status === "connected" && !this.ready) this.gotAcknowledged(message);
    }
  }

  private gotAcknowledged({ version, cliVersion }: HubMessage & { type: "connection_status" }): void {
    clearTimeout(this.timer);
    if (!isCompatible(version, CONSOLE_PROTOCOL_VERSION)) {
      this.socket?.send(
        errorText("UNSUPPORTED_VERSION", `Protocol version ${version} is not supported`, {
          receivedVersion: version,
          supportedVersions: CONSOLE_SUPPORTED_VERSIONS,
        }),
      );
      this.note({ kind: "incompatible", version, supported: [] });
      return;
    }
    this.ready = true;
    this.note({ kind: "ready", hubVersion: cliVersion });
    this.options.onReady();
    this.ping();
  }

  private gotError({ code, message, version, supportedVersions }: HubMessage & { type: "error" }): void {
    this.options.logError(`the hub answered ${code}: ${message}`);
    if (code === "UNSUPPORTED_VERSION") {
      clearTimeout(this.timer);
      if (this.ready) this.options.onLost();
      this.ready = false;
      this.awaited = undefined;
      this.note({ kind: "incompatible", version, supported: supportedVersions });
    } else this.note({ kind: "message-error", text: `${code}: ${message}` });
  }

  private gotPong(id: string): void {
    if (this.awaited?.id !== id) return;
    const { sentAt, done } = this.awaited;
    this.awaited = undefined;
    clearTimeout(this.timer);
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.ping(), IDLE_PING_MS);
    this.note({ kind: "latency", ms: Math.round((performance.now() - sentAt) * 10) / 10 });
    done();
  }

  private fail(reason: string): void {
    this.drop();
    this.lose(reason);
  }

  private lose(reason: string): void {
    this.drop();
    const delay = retryDelay(this.state.retries);
    this.note({ kind: "lost", reason, retryAt: delay === undefined ? undefined : Date.now() + delay });
    if (delay !== undefined) this.after(delay, () => this.open());
  }

  private drop(): void {
    const { socket, ready } = this;
    clearTimeout(this.timer);
    clearTimeout(this.idleTimer);
    this.socket = undefined;
    this.ready = false;
    this.awaited = undefined;
    socket?.close();
    if (ready) this.options.onLost();
  }

  /** One timer: for the handshake, the awaited pong, or the next attempt, of which only one can be due. */
  private after(ms: number, run: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(run, ms);
  }

  private note(happening: Happening): void {
    this.state = after(this.state, happening);
    this.options.onState(this.state);
  }
}
