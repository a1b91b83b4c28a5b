import {
  type AppMessage,
  BridgeError,
  Correlator,
  type HubMessage,
  type SessionKind,
} from "@debug-bridge/protocol";
import { LateJoinState } from "./late-join-state.js";
import type { Link } from "./link.js";

/** A `command_result` as it came in, and parsed. */
export interface RawResult {
  readonly message: Extract<AppMessage, { type: "command_result" }>;
  readonly text: string;
}

/** A command on its way to an app. */
export interface SentCommand {
  readonly id: string;
  readonly type: string;
  /** Sequence of its record in the timeline, if it has one. */
  readonly sequence: number | undefined;
  /** Text that it typed, which the record of its result does not show. */
  readonly typed?: string | undefined;
}

const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** One app on a session, with the commands that it has not answered yet. */
export class AppPeer {
  instanceId: string | undefined;
  /** What an agent that joins late needs to know about this page. */
  state = new LateJoinState();
  private readonly replies = new Correlator<RawResult>();
  /** Commands that wait for a reply, oldest first. */
  private readonly sent = new Map<string, SentCommand>();

  constructor(
    private readonly link: Link,
    /** The kind that a provider inside the hub gives its sessions. Apps on sockets are of kind `app`, whatever kind they claim. */
    readonly kind: SessionKind = "app",
  ) {}

  has(id: string): boolean {
    return this.replies.has(id);
  }

  /** Sends a command and waits for its result. Ends with `outcome_unknown` when the app vanishes first. */
  async request(command: SentCommand, text: string | Buffer, timeoutMs: number): Promise<RawResult> {
    if (this.link.buffered > MAX_UNREAD_BYTES) {
      throw new BridgeError(
        "rate_limit",
        "the app does not keep up with its commands; wait for results before sending more",
      );
    }
    const result = this.replies.open(command.id, { timeoutMs });
    // Not registered when the app is gone or the id is in use: then nothing is sent.
    if (this.sent.has(command.id) || !this.replies.has(command.id)) return result;
    this.sent.set(command.id, command);
    this.link.send(text);
    try {
      return await result;
    } finally {
      this.sent.delete(command.id);
    }
  }

  /** The command that a result answers. Apps of the first version do not send the id back: then the oldest of its type. */
  commandOf({ requestId, requestType }: RawResult["message"]): SentCommand | undefined {
    if (requestId !== undefined) return this.sent.get(requestId);
    for (const command of this.sent.values()) if (command.type === requestType) return command;
    return undefined;
  }

  /** Settles the request that a result answers. False when no command waits for it. */
  settle(result: RawResult): boolean {
    const id = result.message.requestId ?? this.commandOf(result.message)?.id;
    return id !== undefined && this.replies.settle(id, result);
  }

  send(data: string | Buffer): void {
    this.link.send(data);
  }

  sendMessage(message: HubMessage): void {
    this.link.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    this.link.close(code, reason);
  }

  onLost(reason: string): void {
    this.replies.lose(reason);
  }
}
