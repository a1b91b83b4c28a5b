import type { HubMessage } from "@debug-bridge/protocol";
import { type Entry, recordJson } from "../../timeline/timeline.js";
import type { Link } from "./link.js";

/** Above this many unread bytes an agent gets no more telemetry, until it has read half of them. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Answers to its own commands are still sent up to here; then the connection is closed. */
const MAX_UNREAD_REPLY_BYTES = 3 * MAX_UNREAD_BYTES;

export interface AgentPeerOptions {
  readonly id: string;
  /** Timeline records with their sequence, instead of the bare messages of the app wire. */
  readonly records: boolean;
  /** Whether it understands `ui_tree_delta`. */
  readonly deltas: boolean;
  /** Sends it only the answers to its own commands. */
  readonly quiet: boolean;
}

/** One agent on a session. A slow one loses telemetry, learns how much, and never slows others down. */
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

  /** Forwards a message of an app to an agent that wants the messages themselves. */
  forward(raw: string | Buffer): void {
    if (!this.options.records && this.keepsUp()) this.link.send(raw);
  }

  /** Sends a record of the timeline to an agent that wants records. */
  sendRecord(entry: Entry): void {
    if (this.options.records && this.keepsUp()) this.link.send(recordJson(this.sessionId, entry));
  }

  /** Sends an answer or a message of the hub, which are never dropped. */
  send(data: string | Buffer): void {
    if (this.link.buffered > MAX_UNREAD_REPLY_BYTES) {
      this.close(1013, "this agent reads too slowly; connect again and request less");
      return;
    }
    this.link.send(data);
  }

  sendMessage(message: HubMessage): void {
    this.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    this.link.close(code, reason);
  }

  /** False, and counted, while the agent has too much unread; true again when it has read half of it. */
  private keepsUp(): boolean {
    if (this.options.quiet) return false;
    if (this.link.buffered > (this.dropped > 0 ? MAX_UNREAD_BYTES / 2 : MAX_UNREAD_BYTES)) {
      this.dropped++;
      return false;
    }
    if (this.dropped > 0) this.reportGap();
    return true;
  }

  private reportGap(): void {
    const { dropped } = this;
    this.dropped = 0;
    this.sendMessage({
      type: "gap",
      origin: "hub",
      sessionId: this.sessionId,
      timestamp: Date.now(),
      dropped,
      reason: "the agent read too slowly; read the timeline for what is missing",
    });
  }
}
