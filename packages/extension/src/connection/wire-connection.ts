import type { HubAddress } from "./address.js";
import { type ConnectionEvent, type ConnectionState, initialState, nextState } from "./state.js";
import type { SocketLike, Wire, WireLink } from "./wire.js";

export interface WireConnectionOptions {
  readonly openSocket: (url: string) => SocketLike;
  readonly onState: (state: ConnectionState) => void;
  /** A connection that was ready has ended. */
  readonly onEnd: (url: string, reason: string) => void;
}

/** Keeps one wire connected: opens its socket, runs its timers, and opens the next socket when one is lost. */
export class WireConnection {
  private current: ConnectionState;
  private socket: SocketLike | undefined;
  private url = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lostReason: string | undefined;

  constructor(
    private readonly wire: Wire,
    private readonly options: WireConnectionOptions,
  ) {
    this.current = initialState(wire.policy);
  }

  get state(): ConnectionState {
    return this.current;
  }

  /** Connects, unless that was already started. `lostReason` is why an earlier worker lost this connection. */
  connect(hub: HubAddress, lostReason?: string): void {
    if (this.current.status !== "idle") return;
    this.url = this.wire.url(hub);
    this.lostReason = lostReason;
    this.open();
  }

  /** Takes over from a worker whose attempts had all failed: waits for `wake`. */
  standBy(hub: HubAddress): void {
    if (this.current.status !== "idle") return;
    this.url = this.wire.url(hub);
    this.apply({ kind: "give-up", reason: noAnswer(this.url) });
  }

  /** Makes one attempt if all of them have failed. */
  wake(): void {
    if (this.current.status === "failed") this.open();
  }

  /** Makes the next attempt now, because the hub answers on its other port. */
  hurry(): void {
    if (this.current.status === "failed" || this.current.status === "waiting") this.open();
  }

  /** Closes the connection, if there is one, and starts over. */
  restart(hub: HubAddress, reason: string): void {
    this.close(reason);
    this.url = this.wire.url(hub);
    this.open();
  }

  /** Closes the connection and notifies the hub. */
  close(reason: string): void {
    if (this.current.status === "connected") {
      const text = this.wire.goodbye?.(reason);
      if (text !== undefined) this.socket?.send(text);
    }
    this.drop(reason);
    this.lostReason = undefined;
    this.apply({ kind: "reset" });
  }

  private open(): void {
    clearTimeout(this.timer);
    this.apply({ kind: "open" });
    let socket: SocketLike;
    try {
      socket = this.options.openSocket(this.wire.socketUrl?.(this.url) ?? this.url);
    } catch (thrown) {
      this.lose(`${this.url} cannot be opened: ${(thrown as Error).message}`);
      return;
    }
    this.socket = socket;
    const link = this.linkOf(socket);
    socket.onopen = () => {
      if (this.socket === socket) this.wire.onOpen(link, this.lostReason);
    };
    socket.onmessage = ({ data }) => {
      if (this.socket === socket) this.wire.onMessage(data, link);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket) this.lose(this.endReason(code, reason));
    };
    const { handshakeTimeoutMs } = this.wire;
    this.timer = setTimeout(
      () => this.lose(`${this.url} did not complete the handshake within ${handshakeTimeoutMs / 1_000} s`),
      handshakeTimeoutMs,
    );
  }

  private linkOf(socket: SocketLike): WireLink {
    const ifCurrent = (run: () => void): void => {
      if (this.socket === socket) run();
    };
    return {
      send: (text) => ifCurrent(() => socket.send(text)),
      fail: (reason) => ifCurrent(() => this.lose(reason)),
      ready: () =>
        ifCurrent(() => {
          clearTimeout(this.timer);
          this.lostReason = undefined;
          this.apply({ kind: "ready" });
        }),
      incompatible: (advice) =>
        ifCurrent(() => {
          clearTimeout(this.timer);
          this.apply({ kind: "incompatible", advice });
        }),
    };
  }

  private endReason(code: number, reason: string): string {
    if (reason) return `${this.url} closed the connection: ${reason}`;
    if (code !== 1006) return `${this.url} closed the connection with code ${code}`;
    return this.current.status === "connected"
      ? `the connection to ${this.url} was interrupted`
      : noAnswer(this.url);
  }

  private lose(reason: string): void {
    this.drop(reason);
    this.apply({ kind: "lost", reason, now: Date.now() });
    if (this.current.status === "waiting")
      this.timer = setTimeout(() => this.open(), this.current.retryAt - Date.now());
  }

  private drop(reason: string): void {
    const { socket } = this;
    const wasConnected = this.current.status === "connected";
    clearTimeout(this.timer);
    this.socket = undefined;
    socket?.close();
    this.wire.onEnd();
    if (!wasConnected) return;
    this.lostReason = reason;
    this.options.onEnd(this.url, reason);
  }

  private apply(event: ConnectionEvent): void {
    this.current = nextState(this.current, event, this.wire.policy);
    this.wire.onState?.(this.current);
    this.options.onState(this.current);
  }
}

function noAnswer(url: string): string {
  return `nothing answers at ${url}`;
}
