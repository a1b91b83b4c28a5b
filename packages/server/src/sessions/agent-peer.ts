import type { HubMessage } from "@debug-bridge/protocol";
import { type Entry, recordJson } from "../timeline/timeline.js";
import type { Link } from "./link.js";

/** Above this many unread bytes an agent gets no more telemetry, until it has read half of them. */
const MOST_UNREAD = 8 * 1024 * 1024;
/** Answers to its own commands are still sent up to here; then the agent is beyond help. */
const HOPELESS = 4 * MOST_UNREAD;

export interface AgentPeerOptions {
  readonly id: string;
  /** Timeline records with their sequence, instead of the bare messages of the app wire. */
  readonly records: boolean;
  /** Whether it understands `ui_tree_delta`. */
  readonly deltas: boolean;
  /** Whether it wants only the answers to its own commands. */
  readonly quiet: boolean;
}

/** One agent on a session. A slow one loses telemetry, is told how much, and never slows anyone else. */
export class AgentPeer {
  private dropped = 0;

  constructor(
    readonly sessionId: string,
    private readonly link: Link,
    readonly options: AgentPeerOptions,
  ) {}

  get id(): string {
    return this.options.id;
  }

  /** A message of an app, for those who want the messages themselves. */
  forward(raw: string | Buffer): void {
    if (!this.options.records && this.keepsUp()) this.link.send(raw);
  }

  /** A record of the timeline, for those who want records. */
  note(entry: Entry): void {
    if (this.options.records && this.keepsUp()) this.link.send(recordJson(this.sessionId, entry));
  }

  /** An answer or a message of the hub: never dropped. */
  send(data: string | Buffer): void {
    if (this.link.buffered > HOPELESS) {
      this.close(1013, "this agent does not read what it is sent; connect again and ask for less");
      return;
    }
    this.link.send(data);
  }

  say(message: HubMessage): void {
    this.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    this.link.close(code, reason);
  }

  /** False, and counted, while the agent has too much unread; true again when it has read half of it. */
  private keepsUp(): boolean {
    if (this.options.quiet) return false;
    if (this.link.buffered > (this.dropped > 0 ? MOST_UNREAD / 2 : MOST_UNREAD)) {
      this.dropped++;
      return false;
    }
    if (this.dropped > 0) this.reportGap();
    return true;
  }

  private reportGap(): void {
    const { dropped } = this;
    this.dropped = 0;
    this.say({
      type: "gap",
      origin: "hub",
      sessionId: this.sessionId,
      timestamp: Date.now(),
      dropped,
      reason: "the agent read too slowly; read the timeline for what is missing",
    });
  }
}
