import { steadyNow } from "../../bounds/steady-clock.js";
import { type Bus, LEASE_MS, MAX_ELECTION_MS } from "../bus.js";
import { retryFor } from "../deadline.js";

const RENEW_MS = LEASE_MS / 3;
const CHECK_MS = 200;
/** A hub that is late with its renewal by this time may be gone: the bus is asked. */
const LATE_MS = 300;
/** A hub that has had no connection to the bus for so long was killed, unless a server of the bus was: then it connects to another one. */
const DISCONNECTED_MS = 500;
/** What a hub sends to all others with every renewal: while the servers of the bus choose a leader, no lease can be renewed. */
const ALIVE = "alive";
/** Lost hubs that are remembered. */
const MAX_LOST = 1_000;
/** A check that comes this late means that this process stood still, and knows nothing about the others. */
const STALLED_MS = 1_000;

export interface MemberEvents {
  onJoined(hub: string): void;
  /** The hub has not renewed its lease, or is not connected to the bus: whatever it had can be taken over. */
  onLost(hub: string): void;
}

/** Which hubs of the bus live. This hub renews its own lease, and watches those of the others. */
export class Members {
  /** When the last renewal of each other hub was seen. */
  private readonly seen = new Map<string, number>();
  /** Hubs that were seen and are gone, and why. A hub that comes back has another name, unless it was only cut off. */
  private readonly lost = new Map<string, "silent" | "disconnected">();
  /** Hubs of which the bus is being asked whether they are connected. */
  private readonly probes = new Map<string, Promise<void>>();
  private connectedSince: number | undefined;
  private servers: string;
  /** When a server of the bus was lost, as far as this hub knows. */
  private serverLostAt = Number.NEGATIVE_INFINITY;
  /** Questions to the bus that are not answered yet, by hub. */
  private readonly registrations = new Map<string, Promise<boolean>>();
  private renewing: NodeJS.Timeout | undefined;
  private checking: NodeJS.Timeout | undefined;
  private checkedAt = steadyNow();
  /** Nobody is declared dead before this time. */
  private blindUntil = 0;
  private isClosed = false;

  constructor(
    private readonly bus: Bus,
    private readonly events: MemberEvents,
  ) {
    this.servers = bus.servers;
  }

  async start(): Promise<void> {
    await this.bus.hubs.watch(({ key, value }) => {
      if (key === this.bus.hub || this.isClosed) return;
      if (value === undefined) this.lose(key);
      else this.see(key);
    });
    // The servers of the bus may be choosing a leader.
    await retryFor(MAX_ELECTION_MS, CHECK_MS, () => this.renew());
    this.renewing = setInterval(() => void this.renew().catch(() => {}), RENEW_MS);
    this.checking = setInterval(() => this.check(steadyNow()), CHECK_MS);
    this.renewing.unref();
    this.checking.unref();
  }

  /** The other hubs that live. */
  others(): string[] {
    return [...this.seen.keys()];
  }

  /** Whether another hub sent something lately, without asking the bus. */
  isSeen(hub: string): boolean {
    return this.seen.has(hub);
  }

  /** Whether a hub was known, and is gone now. */
  isLost(hub: string): boolean {
    return this.lost.has(hub);
  }

  /** Whether a hub lives. One that joined a moment ago may be known to the bus only. */
  async isLiving(hub: string): Promise<boolean> {
    if (hub === this.bus.hub || this.seen.has(hub)) return true;
    // The bus itself said so; its lease would only end later.
    if (this.lost.get(hub) === "disconnected") return false;
    // Everybody who waits for a session of a lost hub asks this at the same time.
    const registration = this.registrations.get(hub) ?? this.isRegistered(hub);
    this.registrations.set(hub, registration);
    return registration;
  }

  /** Waits until a hub that does not answer is known to be gone, at most for a time while it is connected to the bus. */
  async waitUntilLost(hub: string, timeoutMs: number): Promise<void> {
    await this.probe(hub);
    for (const ends = steadyNow() + timeoutMs; steadyNow() < ends && (await this.isLiving(hub)); )
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS / 2));
  }

  /** Leaves: others take over at once what this hub has. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.renewing);
    clearInterval(this.checking);
    await this.bus.hubs.delete(this.bus.hub).catch(() => {});
  }

  /** Another hub published something; false if it is not about being alive. */
  onNotice(text: string, from: string): boolean {
    if (text !== ALIVE) return false;
    if (!this.isClosed && from !== this.bus.hub) this.see(from);
    return true;
  }

  private isRegistered(hub: string): Promise<boolean> {
    return this.bus.hubs
      .get(hub)
      .then((entry) => entry !== undefined)
      .finally(() => this.registrations.delete(hub));
  }

  private async renew(): Promise<void> {
    if (this.isClosed) return;
    this.bus.notify(ALIVE);
    await this.bus.hubs.put(this.bus.hub, "{}");
  }

  private see(hub: string): void {
    const isNew = !this.seen.has(hub);
    this.seen.set(hub, steadyNow());
    this.lost.delete(hub);
    if (isNew) this.events.onJoined(hub);
  }

  /** The state of others is unknown while this hub receives nothing from them. */
  private check(now: number): void {
    const { connectedSince } = this.bus;
    if (connectedSince === undefined) this.blindUntil = now + LEASE_MS;
    // What the others sent meanwhile waits to be read. If the whole machine stood still, they go on now, too.
    else if (now - this.checkedAt > STALLED_MS) this.blindUntil = Math.max(this.blindUntil, now + RENEW_MS);
    this.checkedAt = now;
    // Others must not take this hub for gone because it changed servers.
    if (connectedSince !== undefined && connectedSince !== this.connectedSince)
      void this.renew().catch(() => {});
    this.followServers(now);
    this.connectedSince = connectedSince;
    if (now < this.blindUntil) return;
    for (const [hub, at] of this.seen) {
      if (now - at > LEASE_MS) this.lose(hub);
      else if (now - at > RENEW_MS + LATE_MS) void this.probe(hub);
    }
  }

  /** Resolves when a hub is connected to the bus, as far as is known, or counts as lost because it is not. */
  private probe(hub: string): Promise<void> {
    const running = this.probes.get(hub);
    if (running) return running;
    const probe = this.watchConnection(hub).finally(() => this.probes.delete(hub));
    this.probes.set(hub, probe);
    return probe;
  }

  private async watchConnection(hub: string): Promise<void> {
    const started = steadyNow();
    while (this.seen.has(hub) && !this.isClosed) {
      const isConnected = await this.bus.isConnected(hub).catch(() => true);
      // What arrived from it since, it sent over a connection.
      if (isConnected || (this.seen.get(hub) ?? 0) > started) return;
      const now = steadyNow();
      this.followServers(now);
      const from = Math.max(started + DISCONNECTED_MS, this.serverLostAt + LEASE_MS, this.blindUntil);
      if (now >= from) this.lose(hub, "disconnected");
      else await new Promise((resolve) => setTimeout(resolve, CHECK_MS / 2));
    }
  }

  /** Hubs change their server when it is lost. One that was started takes no hub from the others. */
  private followServers(now: number): void {
    const { servers } = this.bus;
    if (servers === this.servers) return;
    const known = new Set(servers.split(" "));
    if (this.servers.split(" ").some((server) => !known.has(server))) this.serverLostAt = now;
    this.servers = servers;
  }

  private lose(hub: string, why: "silent" | "disconnected" = "silent"): void {
    if (!this.seen.delete(hub)) return;
    this.lost.set(hub, why);
    const [oldest] = this.lost.keys();
    if (this.lost.size > MAX_LOST && oldest !== undefined) this.lost.delete(oldest);
    this.events.onLost(hub);
  }
}
