import { Session, type SessionHost } from "./session.js";

/** Sessions that nobody is connected to and whose timeline is kept for late readers. */
const MAX_IDLE = 100;
/** How long the session of a closed tab stays in the list. */
const CLOSED_TIMEOUT_MS = 60_000;
const SWEEP_INTERVAL_MS = 5_000;

/** All sessions of this hub, by id. */
export class Sessions {
  private readonly byId = new Map<string, Session>();
  /** Idle sessions, the one that became idle first at the front. */
  private readonly idle = new Set<Session>();
  /** When the provider of a session closed it. */
  private readonly closedAt = new Map<Session, number>();
  private readonly sweeping: NodeJS.Timeout;

  constructor(private readonly host: SessionHost) {
    this.sweeping = setInterval(() => this.sweep(Date.now()), SWEEP_INTERVAL_MS);
    this.sweeping.unref();
  }

  get size(): number {
    return this.byId.size;
  }

  get(id: string): Session | undefined {
    return this.byId.get(id);
  }

  /** The session with this id; creates it if it does not exist. */
  open(id: string): Session {
    let session = this.byId.get(id);
    if (!session) {
      session = new Session(id, this.host);
      this.byId.set(id, session);
    }
    this.idle.delete(session);
    return session;
  }

  /** The session to which the page with this `instanceId` is connected. */
  withInstance(instanceId: string): Session | undefined {
    for (const session of this.byId.values()) if (session.hasInstance(instanceId)) return session;
    return undefined;
  }

  /** Call this when a peer left. A session without any record goes at once. */
  releaseIfIdle(session: Session): void {
    if (!session.isEmpty || this.byId.get(session.id) !== session) return;
    if (session.timeline.sequence === 0) {
      this.remove(session);
      return;
    }
    this.idle.delete(session);
    this.idle.add(session);
    for (const oldest of this.idle) {
      if (this.idle.size <= MAX_IDLE) break;
      this.remove(oldest);
    }
  }

  /** The session's page cannot come back, as in a closed tab. It leaves the list soon; recordings stay. */
  markClosed(session: Session, now = Date.now()): void {
    if (this.byId.get(session.id) === session) this.closedAt.set(session, now);
  }

  /** Removes closed sessions that nobody is connected to any more. */
  sweep(now: number): void {
    for (const [session, at] of this.closedAt) {
      if (session.appCount > 0) this.closedAt.delete(session);
      else if (session.isEmpty && now - at >= CLOSED_TIMEOUT_MS - SWEEP_INTERVAL_MS) this.remove(session);
    }
    // A wire can write into a session without ever connecting to it.
    for (const session of this.byId.values())
      if (session.isEmpty && !this.idle.has(session)) this.releaseIfIdle(session);
  }

  all(): Session[] {
    return [...this.byId.values()];
  }

  close(): void {
    clearInterval(this.sweeping);
  }

  private remove(session: Session): void {
    this.byId.delete(session.id);
    this.idle.delete(session);
    this.closedAt.delete(session);
  }
}
