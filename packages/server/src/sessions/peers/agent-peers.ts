import type { HubMessage } from "@debug-bridge/protocol";
import { type Entry, gapJson, type Timeline } from "../../timeline/timeline.js";
import type { AgentPeer } from "./agent-peer.js";

/** The agents of one session. */
export class AgentPeers implements Iterable<AgentPeer> {
  private readonly agents = new Set<AgentPeer>();

  get size(): number {
    return this.agents.size;
  }

  [Symbol.iterator](): Iterator<AgentPeer> {
    return this.agents.values();
  }

  add(agent: AgentPeer): void {
    this.agents.add(agent);
  }

  delete(agent: AgentPeer): boolean {
    return this.agents.delete(agent);
  }

  /** Forwards a message of an app to those that want the messages themselves. */
  forward(raw: string | Buffer): void {
    for (const agent of this.agents) agent.forward(raw);
  }

  /** Sends a record to those that want records. */
  sendRecord(entry: Entry): void {
    for (const agent of this.agents) agent.sendRecord(entry);
  }

  sendMessage(message: HubMessage): void {
    for (const agent of this.agents) agent.sendMessage(message);
  }

  /** Whether all that get telemetry understand `ui_tree_delta`. */
  get deltasUnderstood(): boolean {
    for (const { options } of this.agents) if (!options.deltas && !options.quiet) return false;
    return true;
  }
}

/** Sends an agent the records after `since`. */
export function replay(agent: AgentPeer, timeline: Timeline, since: number): void {
  const { entries, gap } = timeline.readSince(since);
  if (gap) agent.send(gapJson(timeline.sessionId, (gap.to ?? since) + 1, gap));
  for (const entry of entries) agent.sendRecord(entry);
}
