import {
  type AppMessage,
  BridgeError,
  Correlator,
  type HubMessage,
  originOf,
  type SessionKind,
} from "@debug-bridge/protocol";
import { steadyNow } from "../../bounds/steady-clock.js";
import { LateJoinState } from "../records/late-join-state.js";
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

/** The hub's own commands have no record, so their answers have none either. */
export function isKept(command: SentCommand | undefined): boolean {
  return command === undefined || command.sequence !== undefined;
}

/** Above this many unread bytes an app gets no more commands. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** How long an app on a socket has to say `hello` before it gets commands anyway. */
const HELLO_MS = 2_000;

/** What is known of an app when it connects. */
export interface AppOptions {
  /** The kind that a provider inside the hub gives its sessions. Apps on sockets are of kind `app`, whatever kind they claim. */
  readonly kind?: SessionKind;
  /** The `Origin` of its connection, which a page cannot choose. */
  readonly origin?: string | undefined;
  /** Whether it says `hello`, and may not listen before. */
  readonly greets?: boolean;
}

/** One app on a session, with the commands that it has not answered yet. */
export class AppPeer {
  readonly kind: SessionKind;
  private readonly connectionOrigin: string | undefined;
  private instance: string | undefined;
  private isKnown: boolean;
  private readonly joinedAt = steadyNow();
  /** The members of a record that show where it is from. */
  source = "";
  private readonly replies = new Correlator<RawResult>();
  /** Commands that wait for a reply, oldest first. */
  private readonly sent = new Map<string, SentCommand>();

  constructor(
    private link: Link,
    /** What an agent that joins late needs to know about this page. */
    public state: LateJoinState = new LateJoinState(),
    { kind = "app", origin, greets = false }: AppOptions = {},
  ) {
    this.kind = kind;
    this.isKnown = !greets;
    this.connectionOrigin = origin;
    this.source = sourceOf(origin, undefined);
  }

  /** The page speaks another dialect: what it is sent goes through a translator from now on. */
  speakThrough(link: Link): void {
    this.link = link;
  }

  get instanceId(): string | undefined {
    return this.instance;
  }

  /** The origin of its page: that of the connection; for a page without one, that of the address that it reports. */
  get origin(): string | undefined {
    return this.connectionOrigin ?? originOf(this.state.url);
  }

  /** For how many milliseconds it may still be silent before it counts as one that says no `hello`. */
  get helloDueMs(): number {
    return this.isKnown ? 0 : Math.max(0, this.joinedAt + HELLO_MS - steadyNow());
  }

  /** The page reported who it is, or where it is now. */
  identify(instanceId: string | undefined): void {
    this.isKnown = true;
    this.instance = instanceId;
    this.source = sourceOf(this.origin, instanceId);
  }

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

  /** Its answer to a command was refused: nothing better will come. */
  refuseReply(requestId: string | undefined, { message }: BridgeError): void {
    if (requestId === undefined) return;
    this.replies.fail(
      requestId,
      new BridgeError(
        "outcome_unknown",
        `the app answered, but its answer is not valid (${message}); look before you repeat the command`,
      ),
    );
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

function sourceOf(origin: string | undefined, instanceId: string | undefined): string {
  const from = origin === undefined ? "" : `,"origin":${JSON.stringify(origin)}`;
  return instanceId === undefined ? from : `${from},"instanceId":${JSON.stringify(instanceId)}`;
}
