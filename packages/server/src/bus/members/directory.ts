import type { Owner } from "../../sessions/owner.js";
import type { Bus } from "../bus.js";
import { withDeadline } from "../deadline.js";
import { Fenced } from "../timeline/fenced-log.js";
import type { Members } from "./members.js";
import { busLost, type Place, placeAt, readPlace } from "./places.js";

/** A session that this hub has. */
export interface Claim extends Place {
  readonly revision: number;
}

export interface DirectoryEvents {
  /** This hub is about to continue a session that another hub had. The result is called at the moment it does. */
  prepareTakeover(sessionId: string, claim: Claim): Promise<() => void>;
  /** Another hub has taken a session over that this hub had; which one may not be known. */
  onLost(sessionId: string, hub: string | undefined): void;
  /** Another hub has a session more or less. */
  onChanged(): void;
}

/** A value of the registry, and the place that it describes, if it can be read. */
interface Previous {
  readonly place: Place | undefined;
  readonly revision: number;
}

/**
 * What a hub sends to all others when it took a session over. The registry reports it, too; but its watch may stand still when servers of
 * the bus are lost, and a hub that only seemed to be lost must not keep the session.
 */
const TAKEN = "taken ";
const MAX_TRIES = 10;
const RETRY_DELAY_MS = 20;
/** Who asks for a session that nobody knows does not wait longer. */
const READ_TIMEOUT_MS = 500;
const FENCED = "fenced";

/** Which hub has which session. A session is on one hub at a time, which is decided by compare-and-set in the registry. */
export class Directory {
  /** What the registry holds, as far as this hub knows. */
  private readonly places = new Map<string, Claim>();
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

  /** The hub that the registry names for a session now; `undefined` when it has none or does not say so soon. */
  async registeredHub(sessionId: string): Promise<string | undefined> {
    if (this.bus.connectedSince === undefined) return undefined;
    return withDeadline(this.findPlace(sessionId), READ_TIMEOUT_MS, busLost).then(
      (found) => found?.place?.hub,
      () => undefined,
    );
  }

  /** Another hub that has a session and lives, as far as is known. It says so if it no longer has the session. */
  livingHub(sessionId: string): string | undefined {
    const hub = this.places.get(sessionId)?.hub;
    return hub !== undefined && this.members.isSeen(hub) ? hub : undefined;
  }

  /**
   * Takes a session for this hub, unless a living hub has it. Returns the hub that has it then. `pin` is who may join it as an
   * app, if that is known.
   */
  claim(sessionId: string, pin?: Owner): Promise<string> {
    if (this.claims.has(sessionId)) return Promise.resolve(this.bus.hub);
    return this.locked(sessionId, () => this.claimLocked(sessionId, pin));
  }

  /** The first app of a session has come: the hub that takes the session over has to know who that was. */
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

  /** Asks the registry whether this hub still has a session, by writing once more that it does. */
  isOwn(sessionId: string): Promise<boolean> {
    return this.locked(sessionId, async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const claim = this.claims.get(sessionId);
        if (!claim) return false;
        const { revision, ...place } = claim;
        const changed = await this.bus.sessions.compareAndSet(sessionId, JSON.stringify(place), revision);
        if (changed !== undefined) {
          this.claims.set(sessionId, { ...claim, revision: changed });
          return true;
        }
        // It was this hub that changed it, if the confirmation of that was lost.
        const found = await this.findPlace(sessionId);
        if (found?.place?.hub !== place.hub || found.place.term !== place.term) return false;
        this.claims.set(sessionId, { ...claim, revision: found.revision });
      }
      return false;
    });
  }

  /** Another hub has a session that this hub had, though the registry may not have reported it yet. */
  giveUp(sessionId: string): void {
    if (!this.claims.delete(sessionId)) return;
    const known = this.places.get(sessionId)?.hub;
    this.events.onLost(sessionId, known === this.bus.hub ? undefined : known);
  }

  /** Another hub published something; false if it is not about a session that it took over. */
  onNotice(text: string): boolean {
    if (!text.startsWith(TAKEN)) return false;
    const sessionId = text.slice(TAKEN.length);
    // The registry decides, and not who says so.
    if (this.claims.has(sessionId)) void this.check(sessionId).catch(() => {});
    return true;
  }

  private async check(sessionId: string): Promise<void> {
    const entry = await this.bus.sessions.get(sessionId);
    if (entry) this.onChange(sessionId, entry.value, entry.revision);
  }

  private async claimLocked(sessionId: string, pin: Owner | undefined): Promise<string> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (this.claims.has(sessionId)) return this.bus.hub;
      const previous = (tries === 0 && this.placeAtLost(sessionId)) || (await this.findPlace(sessionId));
      const hub = previous?.place?.hub;
      if (hub !== undefined && hub !== this.bus.hub && (await this.members.isLiving(hub))) return hub;
      const place = placeAt(this.bus.hub, previous?.place, pin);
      const revision = await this.bus.sessions.compareAndSet(
        sessionId,
        JSON.stringify(place),
        previous?.revision ?? 0,
      );
      if (revision === undefined) {
        // The server that was read from may be a moment behind.
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
        continue;
      }
      const claim = { ...place, revision };
      const take = previous?.place && (await this.prepareTakeover(sessionId, claim));
      if (take === FENCED) continue;
      this.claims.set(sessionId, claim);
      take?.();
      if (take) this.bus.notify(`${TAKEN}${sessionId}`);
      return this.bus.hub;
    }
    throw busLost();
  }

  /** What continues a session; `FENCED` if yet another hub has taken it over meanwhile. */
  private prepareTakeover(sessionId: string, claim: Claim): Promise<(() => void) | typeof FENCED> {
    return this.events.prepareTakeover(sessionId, claim).catch((thrown: unknown) => {
      if (thrown instanceof Fenced) return FENCED;
      throw thrown;
    });
  }

  /** Where a session was that a lost hub had: known without the bus. If it is no longer so, compare-and-set shows it. */
  private placeAtLost(sessionId: string): Previous | undefined {
    const known = this.places.get(sessionId);
    return known && this.members.isLost(known.hub) ? { place: known, revision: known.revision } : undefined;
  }

  private async findPlace(sessionId: string): Promise<Previous | undefined> {
    const entry = await this.bus.sessions.get(sessionId).catch(() => {
      throw busLost();
    });
    return entry && { place: readPlace(entry.value), revision: entry.revision };
  }

  private onChange(sessionId: string, value: string | undefined, revision: number): void {
    const place = value === undefined ? undefined : readPlace(value);
    if (place) this.places.set(sessionId, { ...place, revision });
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
