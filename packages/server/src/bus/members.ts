import { type Bus, LEASE_MS } from "./bus.js";

const RENEW_MS = LEASE_MS / 3;
const CHECK_MS = 200;
/** A check that comes this late means that this process stood still, and knows nothing about the others. */
const STALLED_MS = 1_000;

export interface MemberEvents {
  onJoined(hub: string): void;
  /** The hub has not renewed its lease: whatever it had can be taken over. */
  onLost(hub: string): void;
}

/** Which hubs of the bus live. This hub renews its own lease, and watches those of the others. */
export class Members {
  /** When the last renewal of each other hub was seen. */
  private readonly seen = new Map<string, number>();
  private renewing: NodeJS.Timeout | undefined;
  private checking: NodeJS.Timeout | undefined;
  private checkedAt = Date.now();
  /** Nobody is declared dead before this time. */
  private blindUntil = 0;
  private isClosed = false;

  constructor(
    private readonly bus: Bus,
    private readonly events: MemberEvents,
  ) {}

  async start(): Promise<void> {
    await this.bus.hubs.watch(({ key, value }) => {
      if (key === this.bus.hub || this.isClosed) return;
      if (value === undefined) this.lose(key);
      else this.see(key);
    });
    await this.renew();
    this.renewing = setInterval(() => void this.renew().catch(() => {}), RENEW_MS);
    this.checking = setInterval(() => this.check(Date.now()), CHECK_MS);
    this.renewing.unref();
    this.checking.unref();
  }

  /** The other hubs that live. */
  others(): string[] {
    return [...this.seen.keys()];
  }

  /** Whether a hub lives. One that joined a moment ago may be known to the bus only. */
  async isLiving(hub: string): Promise<boolean> {
    if (hub === this.bus.hub || this.seen.has(hub)) return true;
    return (await this.bus.hubs.get(hub)) !== undefined;
  }

  /** Waits until a hub is known to be gone, at most for a time. */
  async waitUntilLost(hub: string, timeoutMs: number): Promise<void> {
    for (const ends = Date.now() + timeoutMs; Date.now() < ends && (await this.isLiving(hub)); )
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS / 2));
  }

  /** Leaves: others take over at once what this hub has. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.renewing);
    clearInterval(this.checking);
    await this.bus.hubs.delete(this.bus.hub).catch(() => {});
  }

  private async renew(): Promise<void> {
    if (!this.isClosed) await this.bus.hubs.put(this.bus.hub, "{}");
  }

  private see(hub: string): void {
    const isNew = !this.seen.has(hub);
    this.seen.set(hub, Date.now());
    if (isNew) this.events.onJoined(hub);
  }

  /** Nothing can be said of others while this hub does not hear them. */
  private check(now: number): void {
    const { connectedSince } = this.bus;
    if (connectedSince === undefined || now - this.checkedAt > STALLED_MS) this.blindUntil = now + LEASE_MS;
    this.checkedAt = now;
    if (now < this.blindUntil) return;
    for (const [hub, at] of this.seen) if (now - at > LEASE_MS) this.lose(hub);
  }

  private lose(hub: string): void {
    if (this.seen.delete(hub)) this.events.onLost(hub);
  }
}
