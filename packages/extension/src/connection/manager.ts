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
  /** The hub whose turn it is. Both wires are with the same one. */
  private hub: HubAddress | undefined;
  private hubs: readonly HubAddress[] = [];
  /** Whether that hub was connected: when it is lost, the next one is tried at once. */
  private wasConnected = false;
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
  async start(initial: HubAddress, others: readonly HubAddress[] = []): Promise<void> {
    this.hub = initial;
    this.hubs = [initial, ...others];
    const memory = await this.options.load();
    this.pastEnds = memory.ends;
    // The address may have changed in the meantime; an earlier worker may have gone on with another hub.
    const used = memory.wires.relay?.url;
    const hub = this.hubs.find((each) => this.wires.relay.url(each) === used) ?? this.hub;
    this.hub = hub;
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
  setHub(hub: HubAddress, others: readonly HubAddress[] = []): void {
    const previous = this.hub;
    const first = this.hubs[0];
    this.hubs = [hub, ...others];
    // One of the others that is in use stays in use when only the list changed.
    const isSame = (each: HubAddress): boolean => JSON.stringify(each) === JSON.stringify(previous);
    if (first && JSON.stringify(first) === JSON.stringify(hub) && this.hubs.some(isSame)) return;
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
        if (status === "connected") this.onConnected(wire.name);
        else if (status === "waiting" || status === "failed" || status === "unpaired") this.moveOn(wire.name);
        this.save();
        this.options.onChange();
      },
      onEnd: (_url, reason) => {
        this.pastEnds = appendEnd(this.pastEnds, { at: Date.now(), wire: wire.name, reason });
        this.options.debug(`the ${wire.name} connection ended: ${reason}`);
      },
    });
  }

  private onConnected(name: WireName): void {
    const other = this.connections[OTHER[name]];
    this.wasConnected = true;
    this.hub = this.hubs.find((each) => this.connections[name].isAt(each)) ?? this.hub;
    if (this.hub && other.state.status !== "connected") other.moveTo(this.hub);
    other.hurry();
  }

  /** An attempt failed, or a connection was lost: the next hub is tried, unless the other wire is connected to this one. */
  private moveOn(name: WireName): void {
    const { [name]: connection, [OTHER[name]]: other } = this.connections;
    const { hub } = this;
    if (!hub || this.hubs.length < 2 || other.state.status === "connected") return;
    const isNext = connection.isAt(hub);
    const next = isNext ? (this.hubs[(this.hubs.indexOf(hub) + 1) % this.hubs.length] as HubAddress) : hub;
    this.hub = next;
    connection.moveTo(next);
    other.moveTo(next);
    if (!isNext || !this.wasConnected) return;
    this.wasConnected = false;
    connection.hurry();
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
const OTHER = { console: "relay", relay: "console" } as const;
