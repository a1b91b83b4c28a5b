import type { HubAddress } from "./address.js";
import { startHandshake } from "./handshake.js";
import { type ConnectionEvent, type ConnectionState, initialState, nextState } from "./state.js";
import type { SocketLike, Wire, WireLink } from "./wire.js";

/** The key that the hub has to know. */
export interface PairingSource {
  readonly key: CryptoKey | undefined;
  reload(): Promise<void>;
}

export interface WireConnectionOptions {
  readonly pairing: PairingSource;
  readonly openSocket: (url: string) => SocketLike;
  readonly onState: (state: ConnectionState) => void;
  /** A connection that was ready has ended. */
  readonly onEnd: (url: string, reason: string) => void;
}

/**
 * Keeps one wire connected: opens its socket, lets both ends prove themselves, runs the timers, and opens the next socket
 * when one is lost. The wire learns of a socket only after the proof.
 */
export class WireConnection {
  private current: ConnectionState;
  private socket: SocketLike | undefined;
  private url = "";
  /** Where the next attempt is made, if that is elsewhere. */
  private nextUrl: string | undefined;
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

  /** Whether its attempts are at this hub. */
  isAt(hub: HubAddress): boolean {
    return this.url === this.wire.url(hub);
  }

  /** Makes its next attempts at another hub. One that has begun is finished where it is. */
  moveTo(hub: HubAddress): void {
    this.nextUrl = this.wire.url(hub);
  }

  /** Makes one attempt if all of them have failed. */
  wake(): void {
    if (this.current.status === "failed") this.open();
    else if (this.current.status === "unpaired" && this.current.retryAt <= Date.now()) this.openUnpaired();
  }

  /** Makes the next attempt now, because the hub answers on its other port. */
  hurry(): void {
    const { status } = this.current;
    if (status === "failed" || status === "waiting" || status === "unpaired") this.open();
  }

  /** Closes the connection, if there is one, and starts over. */
  restart(hub: HubAddress, reason: string): void {
    this.close(reason);
    this.nextUrl = this.wire.url(hub);
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
    this.url = this.nextUrl ?? this.url;
    this.nextUrl = undefined;
    const { key } = this.options.pairing;
    if (!key) {
      this.unpair(NO_KEY);
      return;
    }
    this.apply({ kind: "open" });
    let socket: SocketLike;
    try {
      socket = this.options.openSocket(this.wire.socketUrl?.(this.url) ?? this.url);
    } catch (thrown) {
      this.lose(`${this.url} cannot be opened: ${(thrown as Error).message}`);
      return;
    }
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket === socket) this.prove(socket, key);
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

  private prove(socket: SocketLike, key: CryptoKey): void {
    const link = this.linkOf(socket);
    let receive = startHandshake(key, this.wire.name, this.url, {
      send: link.send,
      proven: () => {
        if (this.socket !== socket) return;
        receive = (data) => this.wire.onMessage(data, link);
        this.wire.onOpen(link, this.lostReason);
      },
      failed: () => {
        if (this.socket === socket) this.unpair(notOurHub(this.url));
      },
    });
    socket.onmessage = ({ data }) => {
      if (this.socket === socket) receive(data);
    };
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

  /** Nothing more is sent; the next attempts are far apart. */
  private unpair(advice: string): void {
    this.drop(advice);
    this.apply({ kind: "unpaired", advice, now: Date.now() });
    if (this.current.status === "unpaired")
      this.timer = setTimeout(() => this.openUnpaired(), this.current.retryAt - Date.now());
  }

  private openUnpaired(): void {
    clearTimeout(this.timer);
    void this.options.pairing.reload().then(() => {
      if (this.current.status === "unpaired") this.open();
    });
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

const NO_KEY =
  "This copy of the extension is not paired with a hub. Run “debug-bridge extension” and load the folder that it prints, or pair this copy with “debug-bridge extension --pair”.";

function notOurHub(url: string): string {
  return `The program at ${url} did not prove that it is your hub, so nothing was sent to it. If it is your hub, load the folder that “debug-bridge extension” prints, or pair this copy with “debug-bridge extension --pair”.`;
}

function noAnswer(url: string): string {
  return `nothing answers at ${url}`;
}
