import { type AppMessage, BridgeError, Correlator, type HubMessage } from "@debug-bridge/protocol";
import type { Link } from "./link.js";
import { Retained } from "./retained.js";

/** A `command_result` as it came in, and read. */
export interface RawResult {
  readonly message: Extract<AppMessage, { type: "command_result" }>;
  readonly text: string;
}

const MOST_UNREAD = 16 * 1024 * 1024;

/** One app on a session, with the commands that it has not answered yet. */
export class AppPeer {
  instanceId: string | undefined;
  /** What a late agent needs of this page. */
  retained = new Retained();
  private readonly waiting = new Correlator<RawResult>();
  /** Ids of waiting commands by type, oldest first: for apps that do not send the id back. */
  private readonly order: { id: string; type: string }[] = [];

  constructor(private readonly link: Link) {}

  has(id: string): boolean {
    return this.waiting.has(id);
  }

  /** Sends a command and waits for its result. Ends with `outcome_unknown` when the app vanishes first. */
  async ask(id: string, type: string, command: string | Buffer, timeoutMs: number): Promise<RawResult> {
    if (this.link.buffered > MOST_UNREAD) {
      throw new BridgeError(
        "rate_limit",
        "the app does not keep up with its commands; wait for results before sending more",
      );
    }
    const result = this.waiting.open(id, { timeoutMs });
    const place = { id, type };
    this.order.push(place);
    this.link.send(command);
    try {
      return await result;
    } finally {
      this.order.splice(this.order.indexOf(place), 1);
    }
  }

  /** Takes a result in. False when no command waits for it. */
  answer(result: RawResult): boolean {
    const { requestId, requestType } = result.message;
    const id = requestId ?? this.order.find(({ type }) => type === requestType)?.id;
    return id !== undefined && this.waiting.settle(id, result);
  }

  send(data: string | Buffer): void {
    this.link.send(data);
  }

  say(message: HubMessage): void {
    this.link.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    this.link.close(code, reason);
  }

  lost(reason: string): void {
    this.waiting.lose(reason);
  }
}
