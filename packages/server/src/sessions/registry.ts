import { BridgeError } from "@debug-bridge/protocol";
import { ByteBudget } from "../bounds/byte-budget.js";
import { HUB_LIMITS } from "../bounds/limits.js";
import { steadyNow } from "../bounds/steady-clock.js";
import type { SessionBudgets } from "./budgets.js";
import { ListWatchers } from "./list-watchers.js";
import { type Owner, ownerConflict } from "./owner.js";
import { Session } from "./session.js";
import type { SessionHost } from "./session-host.js";

/** Sessions that nobody is connected to and whose timeline is kept for late readers. */
const MAX_IDLE = 100;
/** How long the session of a closed tab stays in the list. */
const CLOSED_TIMEOUT_MS = 60_000;
/** How long after its last app left, and nobody else is connected, others may use a session's name. */
const OWNER_TIMEOUT_MS = 5 * 60_000;
/** How long the state of a page is kept after it left: it may be about to connect again. */
const PAGE_TIMEOUT_MS = 15_000;
const SWEEP_INTERVAL_MS = 5_000;

/** What a hub on a bus has to know of its list. */
export interface SessionsHost extends SessionHost {
  /** The session is new in the list. */
  onOpened?(session: Session): void;
  /** Who may join the session as an app is decided. */
  onClaimed?(session: Session, owner: Owner): void;
}

/** All sessions of this hub, by id. */
export class Sessions {
  private readonly byId = new Map<string, Session>();
  /** Idle sessions, the one that became idle first at the front. */
  private readonly idle = new Set<Session>();
  /** When the provider of a session closed it. */
  private readonly closedAt = new Map<Session, number>();
  private readonly sweeping: NodeJS.Timeout;
  private readonly budgets: SessionBudgets = {
    timelines: new ByteBudget(HUB_LIMITS.timelines),
    lateJoin: new ByteBudget(HUB_LIMITS.lateJoin),
  };

  /** Where apps connect, once the hub listens. */
  hubUrl: string | undefined;
  /** Who is notified when the list changes. */
  readonly watchers = new ListWatchers();
  private readonly host: SessionsHost;

  constructor(host: SessionsHost) {
    const { watchers } = this;
    this.host = {
      ...host,
      onPeersChanged: (session) => {
        host.onPeersChanged(session);
        watchers.changed();
      },
      onAppJoined: () => watchers.changed(),
      onUsed: (session) => watchers.used(session),
    };
    this.sweeping = setInterval(() => this.sweep(steadyNow()), SWEEP_INTERVAL_MS);
    this.sweeping.unref();
  }

  get size(): number {
    return this.byId.size;
  }

  get(id: string): Session | undefined {
    return this.byId.get(id);
  }

  /** The session with this id; throws if it does not exist. */
  require(id: string): Session {
    const session = this.byId.get(id);
    if (session) return session;
    const known = [...this.byId.keys()];
    const advice =
      known.length > 0 ? `use one of: ${known.slice(0, 10).join(", ")}` : "none is connected yet";
    throw new BridgeError("session_not_found", `session "${id}" does not exist; ${advice}`);
  }

  /** The session with this id; creates it if it does not exist. */
  open(id: string): Session {
    let session = this.byId.get(id);
    if (!session) {
      this.makeRoom();
      session = new Session(id, this.host, this.budgets);
      this.byId.set(id, session);
      this.host.onOpened?.(session);
    }
    this.idle.delete(session);
    return session;
  }

  /**
   * The session with this id, for somebody who wants to join it as its app. Throws when it belongs to somebody else. The hub's own
   * providers get theirs in any case: the app that used the name before loses it.
   */
  openFor(id: string, owner: Owner, now = steadyNow()): Session {
    const session = this.open(id);
    if (session.ownership.claim(owner)) {
      this.host.onClaimed?.(session, owner);
      return session;
    }
    const { owner: present = owner } = session.ownership;
    if (owner.kind === "hub" && present.kind !== "hub") session.close("the hub needs this session's name");
    else if (!session.isAbandoned(now, OWNER_TIMEOUT_MS)) {
      this.releaseIfIdle(session);
      throw ownerConflict(id, present, owner);
    }
    this.remove(session);
    return this.openFor(id, owner, now);
  }

  /** The session to which the page with this `instanceId` and origin is connected. */
  withInstance(instanceId: string, origin: string | undefined): Session | undefined {
    for (const session of this.byId.values()) if (session.hasInstance(instanceId, origin)) return session;
    return undefined;
  }

  /** Call this when a peer left. A session without any record goes at once. */
  releaseIfIdle(session: Session): void {
    if (!session.isEmpty || this.byId.get(session.id) !== session) return;
    if (session.timeline.isEmpty) {
      this.remove(session);
      return;
    }
    this.idle.delete(session);
    this.idle.add(session);
    let kept = 0;
    for (const each of this.idle) kept += each.timeline.measure();
    for (const oldest of this.idle) {
      if (this.idle.size <= MAX_IDLE && kept <= HUB_LIMITS.idleTimelines) break;
      kept -= oldest.timeline.measure();
      this.remove(oldest);
    }
  }

  /** The session's page cannot come back, as in a closed tab. It leaves the list soon; recordings stay. */
  markClosed(session: Session, now = steadyNow()): void {
    if (this.byId.get(session.id) === session) this.closedAt.set(session, now);
  }

  /** Removes closed sessions that nobody is connected to, and what is kept of pages that left. */
  sweep(now: number): void {
    for (const [session, at] of this.closedAt) {
      if (session.appCount > 0) this.closedAt.delete(session);
      else if (session.isEmpty && now - at >= CLOSED_TIMEOUT_MS - SWEEP_INTERVAL_MS) this.remove(session);
    }
    for (const session of this.byId.values()) {
      session.releasePages(now, PAGE_TIMEOUT_MS);
      // A wire can write into a session without ever connecting to it.
      if (session.isEmpty && !this.idle.has(session)) this.releaseIfIdle(session);
    }
  }

  all(): Session[] {
    return [...this.byId.values()];
  }

  close(): void {
    clearInterval(this.sweeping);
  }

  private makeRoom(): void {
    if (this.byId.size < HUB_LIMITS.sessions) return;
    const [oldest] = this.idle;
    if (!oldest)
      throw new BridgeError(
        "rate_limit",
        `this hub has ${HUB_LIMITS.sessions} sessions, which is its limit; close some before you open another`,
      );
    this.remove(oldest);
  }

  /** Takes a session from the list. */
  remove(session: Session): void {
    this.byId.delete(session.id);
    this.idle.delete(session);
    this.closedAt.delete(session);
    session.forget();
  }
}
