/** As much of a WebSocket as is used. */
export interface RelaySocket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface RelayLinkOptions {
  readonly open: (address: string) => RelaySocket;
  /** What to say first on a new connection. */
  readonly greet: () => string;
  readonly onText: (text: string, reply: (text: string) => void) => void;
  readonly onState: (state: RelayState) => void;
}

export interface RelayState {
  readonly status: "idle" | "connecting" | "connected" | "waiting";
  readonly lastError?: string;
}

/** Attempts after a connection broke, when the relay may be starting anew; later, only an alarm tries. */
const RETRY_MS = [50, 100, 250, 500, 500, 1_000] as const;
const RETRY_FOR_MS = 30_000;
/** At its start a worker tries for a while: the relay may be about to start, or to notice that the last one is gone. */
const FIRST_TRIES_MS = 6_000;
const MOST_KEPT = 5_000;
const MOST_KEPT_CHARACTERS = 16_000_000;

/** The connection with the relay. Events wait for it to be there, within bounds; answers belong to the one that asked. */
export class RelayLink {
  state: RelayState = { status: "idle" };
  private socket: RelaySocket | undefined;
  private isOpen = false;
  private address = "";
  private kept: string[] = [];
  private keptCharacters = 0;
  private retries = 0;
  private retryUntil = Date.now() + FIRST_TRIES_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: RelayLinkOptions) {}

  get connected(): boolean {
    return this.isOpen;
  }

  /** Connects, unless that is done or under way. */
  connect(address: string): void {
    this.address = address;
    if (this.socket) return;
    clearTimeout(this.timer);
    this.open();
  }

  restart(address: string): void {
    const { socket } = this;
    this.socket = undefined;
    this.isOpen = false;
    this.kept = [];
    this.keptCharacters = 0;
    this.retries = 0;
    this.retryUntil = Date.now() + RETRY_FOR_MS;
    socket?.close();
    this.connect(address);
  }

  /** Sends an event now, or as soon as there is a relay. */
  send(text: string): void {
    if (this.isOpen) {
      this.socket?.send(text);
      return;
    }
    if (this.kept.length >= MOST_KEPT || this.keptCharacters + text.length > MOST_KEPT_CHARACTERS) return;
    this.kept.push(text);
    this.keptCharacters += text.length;
  }

  private open(): void {
    this.note({ status: "connecting" });
    let socket: RelaySocket;
    try {
      socket = this.options.open(this.address);
    } catch (thrown) {
      this.note({ status: "idle", lastError: (thrown as Error).message });
      return;
    }
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.isOpen = true;
      this.retries = 0;
      this.retryUntil = 0;
      socket.send(this.options.greet());
      const { kept } = this;
      this.kept = [];
      this.keptCharacters = 0;
      for (const text of kept) socket.send(text);
      this.note({ status: "connected" });
    };
    const reply = (text: string): void => {
      if (this.socket === socket) socket.send(text);
    };
    socket.onmessage = ({ data }) => {
      if (this.socket === socket) this.options.onText(String(data), reply);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket) this.lose(reason || `nothing answers at ${this.address} (${code})`);
    };
  }

  private lose(reason: string): void {
    const was = this.isOpen;
    this.socket = undefined;
    this.isOpen = false;
    if (was) this.retryUntil = Date.now() + RETRY_FOR_MS;
    if (Date.now() > this.retryUntil) {
      this.kept = [];
      this.keptCharacters = 0;
      this.note({ status: "idle", lastError: reason });
      return;
    }
    const delay = RETRY_MS[Math.min(this.retries++, RETRY_MS.length - 1)];
    this.note({ status: "waiting", lastError: reason });
    this.timer = setTimeout(() => this.socket ?? this.open(), delay);
  }

  private note(state: RelayState): void {
    this.state = state;
    this.options.onState(state);
  }
}
