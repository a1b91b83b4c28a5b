import type { HubAddress } from "./address.js";
import { appendEnd, type ConnectionEnd } from "./log.js";
import type { ConnectionState } from "./state.js";
import type { SocketLike, Wire, WireName } from "./wire.js";
import { type PairingSource, WireConnection } from "./wire-connection.js";

/** What a worker leaves for the next one, since Chrome may stop it at any time. */
export interface ConnectionMemory {
  readonly wires: Partial<Record<WireName, { readonly url: string; readonly status: string }>>;
  readonly ends: readonly ConnectionEnd[];
}

export interface ConnectionManagerOptions {
  readonly pairing: PairingSource;
  readonly openSocket: (url: string) => SocketLike;
  readonly load: () => Promise<ConnectionMemory>;
  readonly save: (memory: ConnectionMemory) => void;
  readonly onChange: () => void;
  readonly debug: (text: string) => void;
}

export type ConnectionStates = Readonly<Record<WireName, ConnectionState>>;

/** The connections with the hub. Both wires have one address, one back-off and one state machine. */
export class ConnectionManager {
  private readonly connections: Readonly<Record<WireName, WireConnection>>;
  private hub: HubAddress | undefined;
  private pastEnds: readonly ConnectionEnd[] = [];
  private tabAsked = false;

  constructor(
    private readonly wires: Readonly<Record<WireName, Wire>>,
    private readonly options: ConnectionManagerOptions,
  ) {
    this.connections = { console: this.create(wires.console), relay: this.create(wires.relay) };
  }

  get states(): ConnectionStates {
    return { console: this.connections.console.state, relay: this.connections.relay.state };
  }

  /** The newest ends of connections, oldest first. */
  get ends(): readonly ConnectionEnd[] {
    return this.pastEnds;
  }

  /** Connects both wires, as far as the previous worker of this browser session left something to try. */
  async start(initial: HubAddress): Promise<void> {
    this.hub = initial;
    const memory = await this.options.load();
    this.pastEnds = memory.ends;
    // The address may have changed in the meantime.
    const { hub } = this;
    for (const name of NAMES) {
      const last = memory.wires[name];
      const connection = this.connections[name];
      const isSameHub = last?.url === this.wires[name].url(hub);
      if (isSameHub && last.status === "failed") connection.standBy(hub);
      else
        connection.connect(
          hub,
          isSameHub && last.status === "connected" ? "Chrome restarted the extension's worker" : undefined,
        );
    }
    if (this.tabAsked) this.connections.console.wake();
    this.connections.relay.wake();
  }

  /** Uses another hub. A wire whose address stays the same keeps its connection. */
  setHub(hub: HubAddress): void {
    const previous = this.hub;
    this.hub = hub;
    if (!previous) return;
    for (const name of NAMES) {
      const { [name]: wire } = this.wires;
      if (wire.url(previous) !== wire.url(hub))
        this.connections[name].restart(hub, "the hub's address was changed in the popup");
    }
  }

  /** Another pairing key is in force: both ends have to prove themselves again. */
  onPairingChanged(): void {
    if (!this.hub) return;
    for (const name of NAMES) this.connections[name].restart(this.hub, "the pairing key was changed");
  }

  /** A person asked to try again. */
  retry(): void {
    if (!this.hub) return;
    for (const name of NAMES)
      if (this.connections[name].state.status !== "connected")
        this.connections[name].restart(this.hub, "a new attempt was requested in the popup");
  }

  /** A tab was opened, loaded or chosen: a developer is at work, so a hub may be running. */
  wake(): void {
    this.tabAsked = true;
    for (const name of NAMES) this.connections[name].wake();
  }

  /** Makes one attempt on the relay wire, which is checked from time to time even when nothing happens. */
  wakeRelay(): void {
    this.connections.relay.wake();
  }

  close(reason: string): void {
    for (const name of NAMES) this.connections[name].close(reason);
  }

  private create(wire: Wire): WireConnection {
    return new WireConnection(wire, {
      pairing: this.options.pairing,
      openSocket: this.options.openSocket,
      onState: ({ status }) => {
        this.save();
        if (status === "connected") this.connections[wire.name === "relay" ? "console" : "relay"].hurry();
        this.options.onChange();
      },
      onEnd: (_url, reason) => {
        this.pastEnds = appendEnd(this.pastEnds, { at: Date.now(), wire: wire.name, reason });
        this.options.debug(`the ${wire.name} connection ended: ${reason}`);
      },
    });
  }

  private save(): void {
    const { hub } = this;
    if (!hub) return;
    const last = (name: WireName): { url: string; status: string } => ({
      url: this.wires[name].url(hub),
      status: this.connections[name].state.status,
    });
    this.options.save({ wires: { console: last("console"), relay: last("relay") }, ends: this.pastEnds });
  }
}

const NAMES = ["console", "relay"] as const;
