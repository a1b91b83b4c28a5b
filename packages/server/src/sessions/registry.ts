import { Session, type SessionHost } from "./session.js";

/** Sessions that nobody is connected to and whose timeline is kept for late readers. */
const MOST_IDLE = 100;

/** All sessions of this hub, by id. */
export class Sessions {
  private readonly byId = new Map<string, Session>();
  /** Idle sessions, the one that became idle first at the front. */
  private readonly idle = new Set<Session>();

  constructor(private readonly host: SessionHost) {}

  get size(): number {
    return this.byId.size;
  }

  get(id: string): Session | undefined {
    return this.byId.get(id);
  }

  /** The session with this id, made when there is none. */
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

  /** To be called when a peer left. A session that never held anything goes at once. */
  noteLeft(session: Session): void {
    if (!session.isEmpty || this.byId.get(session.id) !== session) return;
    if (session.timeline.sequence === 0) {
      this.byId.delete(session.id);
      return;
    }
    this.idle.delete(session);
    this.idle.add(session);
    for (const oldest of this.idle) {
      if (this.idle.size <= MOST_IDLE) break;
      this.idle.delete(oldest);
      this.byId.delete(oldest.id);
    }
  }

  all(): Session[] {
    return [...this.byId.values()];
  }
}
