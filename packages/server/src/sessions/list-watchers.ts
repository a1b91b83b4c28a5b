import { steadyNow } from "../bounds/steady-clock.js";
import { fromHub } from "../dispatch/hub-results.js";
import type { AgentPeer } from "./peers/agent-peer.js";
import type { Session } from "./session.js";

/** Announcements to all agents together. With many agents, changes shortly after each other become one message to each. */
const MAX_PER_SECOND = 1_000;
/** A shorter wait is none. */
const MIN_WAIT_MS = 5;

/**
 * Agents that are notified when the list of sessions changes, so that they can keep what they chose from it: who is
 * connected, which tab is in front, and which session was used last.
 */
export class ListWatchers {
  private readonly agents = new Set<AgentPeer>();
  private lastUsed: Session | undefined;
  private isAnnounced = false;
  private announcedAt = 0;

  /** It gets a first message at once, which shows that this hub announces changes. */
  add(agent: AgentPeer): void {
    this.agents.add(agent);
    this.announce(agent);
  }

  delete(agent: AgentPeer): void {
    this.agents.delete(agent);
  }

  /** Several changes at the same moment are one message. */
  changed(): void {
    if (this.isAnnounced || this.agents.size === 0) return;
    this.isAnnounced = true;
    const wait = this.announcedAt + (this.agents.size * 1_000) / MAX_PER_SECOND - steadyNow();
    if (wait < MIN_WAIT_MS) setImmediate(() => this.announceAll());
    else setTimeout(() => this.announceAll(), wait).unref();
  }

  used(session: Session): void {
    if (this.lastUsed === session) return;
    this.lastUsed = session;
    this.changed();
  }

  private announceAll(): void {
    this.isAnnounced = false;
    this.announcedAt = steadyNow();
    for (const agent of this.agents) this.announce(agent);
  }

  private announce(agent: AgentPeer): void {
    agent.sendMessage({ ...fromHub(agent.sessionId), type: "sessions_changed" });
  }
}
