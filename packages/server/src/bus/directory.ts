import type { Owner } from "../sessions/owner.js";
import type { Bus } from "./bus.js";
import type { Members } from "./members.js";
import { busLost, type Place, placeAt, readPlace } from "./places.js";

/** A session that this hub has. */
export interface Claim extends Place {
  readonly revision: number;
}

export interface DirectoryEvents {
  /** This hub is about to continue a session that another hub had. The result is called at the moment it does. */
  prepareTakeover(sessionId: string, claim: Claim): Promise<() => void>;
  /** Another hub has taken a session over that this hub had. */
  onLost(sessionId: string, hub: string): void;
  /** Another hub has a session more or less. */
  onChanged(): void;
}

const MAX_TRIES = 10;

/** Which hub has which session. A session is on one hub at a time, which is decided by compare-and-set in the registry. */
export class Directory {
  /** What the registry holds, as far as this hub has heard. */
  private readonly places = new Map<string, Place>();
  private readonly claims = new Map<string, Claim>();
  /** Changes of one session wait for each other. */
  private readonly locks = new Map<string, Promise<unknown>>();

  constructor(
    private readonly bus: Bus,
    private readonly members: Members,
    private readonly events: DirectoryEvents,
  ) {}

  start(): Promise<void> {
    return this.bus.sessions.watch(({ key, value, revision }) => this.onChange(key, value, revision));
  }

  claimOf(sessionId: string): Claim | undefined {
    return this.claims.get(sessionId);
  }

  /** The sessions that this hub has. */
  claimed(): string[] {
    return [...this.claims.keys()];
  }

  /** The hub that has a session as far as is known, without asking. */
  knownHub(sessionId: string): string | undefined {
    return this.claims.has(sessionId) ? this.bus.hub : this.places.get(sessionId)?.hub;
  }

  /**
   * Takes a session for this hub, unless a living hub has it. Returns the hub that has it then. `pin` is who may join it as an
   * app, if that is known.
   */
  claim(sessionId: string, pin?: Owner): Promise<string> {
    if (this.claims.has(sessionId)) return Promise.resolve(this.bus.hub);
    return this.locked(sessionId, () => this.claimLocked(sessionId, pin));
  }

  /** The first app of a session has come: whoever takes the session over has to know who that was. */
  pin(sessionId: string, pin: Owner): void {
    void this.locked(sessionId, async () => {
      const claim = this.claims.get(sessionId);
      if (!claim || JSON.stringify(claim.pin) === JSON.stringify(pin)) return;
      const { revision, ...place } = claim;
      const next = { ...place, pin };
      const changed = await this.bus.sessions.compareAndSet(sessionId, JSON.stringify(next), revision);
      if (changed !== undefined) this.claims.set(sessionId, { ...next, revision: changed });
    }).catch(() => {});
  }

  /** The session left this hub's list, and with it what is stored of it. */
  release(sessionId: string): void {
    void this.locked(sessionId, async () => {
      const claim = this.claims.get(sessionId);
      if (!claim) return;
      this.claims.delete(sessionId);
      await this.bus.log.purge(sessionId);
      await this.bus.sessions.delete(sessionId, claim.revision);
    }).catch(() => {});
  }

  private async claimLocked(sessionId: string, pin: Owner | undefined): Promise<string> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (this.claims.has(sessionId)) return this.bus.hub;
      const entry = await this.bus.sessions.get(sessionId).catch(() => {
        throw busLost();
      });
      const previous = entry && readPlace(entry.value);
      if (previous && previous.hub !== this.bus.hub && (await this.members.isLiving(previous.hub)))
        return previous.hub;
      const place = placeAt(this.bus.hub, previous, pin);
      const revision = await this.bus.sessions.compareAndSet(
        sessionId,
        JSON.stringify(place),
        entry?.revision ?? 0,
      );
      if (revision === undefined) continue;
      const claim = { ...place, revision };
      const take = previous && (await this.events.prepareTakeover(sessionId, claim));
      this.claims.set(sessionId, claim);
      take?.();
      return this.bus.hub;
    }
    throw busLost();
  }

  private onChange(sessionId: string, value: string | undefined, revision: number): void {
    const place = value === undefined ? undefined : readPlace(value);
    if (place) this.places.set(sessionId, place);
    else this.places.delete(sessionId);
    const claim = this.claims.get(sessionId);
    if (place && claim && place.hub !== this.bus.hub && revision > claim.revision) {
      this.claims.delete(sessionId);
      this.events.onLost(sessionId, place.hub);
    }
    this.events.onChanged();
  }

  private locked<Value>(sessionId: string, run: () => Promise<Value>): Promise<Value> {
    const before = this.locks.get(sessionId) ?? Promise.resolve();
    const result = before.then(run, run);
    const settled = result.then(
      () => {},
      () => {},
    );
    this.locks.set(sessionId, settled);
    void settled.then(() => {
      if (this.locks.get(sessionId) === settled) this.locks.delete(sessionId);
    });
    return result;
  }
}
