import {
  BridgeError,
  type CommandInput,
  type CommandResult,
  type HubResult,
  type TimelineRecord,
} from "@debug-bridge/protocol";
import { check, commandSchema } from "@debug-bridge/protocol/schemas";
import type { Policy } from "../../dispatch/policy.js";
import { recordJson } from "../../timeline/timeline.js";
import type { Sessions } from "../registry.js";
import type { Session } from "../session.js";

export interface ConnectClientOptions {
  /** What the audit log and the timeline show. */
  readonly name: string;
  /** The way in which the client reached the hub; part of its id. */
  readonly kind?: string;
}

export interface CommandOptions {
  readonly timeoutMs?: number;
  /** Cancels the command in the page. */
  readonly signal?: AbortSignal;
}

/**
 * A client inside this process. Its commands pass the same dispatcher as those of every other client, under an id of
 * its own.
 *
 * @example
 * const client = hub.connectClient({ name: "browser_action" });
 * const result = await client.command("browser-1", { type: "click", target: { ref: "e3" } });
 * client.close();
 */
export class HubConnection {
  private nextRequest = 1;
  private closed = false;
  private readonly stops = new Set<() => void>();

  constructor(
    readonly id: string,
    private readonly sessions: Sessions,
    private readonly policy: Policy,
  ) {}

  /** Runs a command. A refused or failed command is a result with `success: false`, not a rejection. */
  async command(
    sessionId: string,
    input: CommandInput,
    options: CommandOptions = {},
  ): Promise<CommandResult | HubResult> {
    const session = this.find(sessionId);
    if (session.isFollowed) return session.control(input, this.id);
    const requestId = input.requestId ?? `${this.id}-${this.nextRequest++}`;
    const { timeoutMs = input.timeoutMs, signal } = options;
    const command = check(commandSchema, {
      ...input,
      requestId,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      sessionId,
      timestamp: Date.now(),
      origin: "agent",
    });
    if (!command.ok) throw command.error;
    const cancel = (): void => void session.command({ type: "cancel", requestId }, this.id);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await session.command(command.value, this.id);
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Records after `since` that the hub still keeps, oldest first. */
  records(sessionId: string, since = 0): TimelineRecord[] {
    const { timeline } = this.find(sessionId);
    return timeline
      .readSince(since)
      .entries.map((entry) => JSON.parse(recordJson(sessionId, entry)) as TimelineRecord);
  }

  /** Sequence of the newest record; 0 when there are no records. */
  sequence(sessionId: string): number {
    return this.sessions.get(sessionId)?.timeline.sequence ?? 0;
  }

  /** Calls `listener` for every new record; returns a function that stops it. */
  subscribe(sessionId: string, listener: (record: TimelineRecord) => void): () => void {
    const session = this.sessions.open(sessionId);
    const unsubscribe = session.subscribe((entry) =>
      listener(JSON.parse(recordJson(sessionId, entry)) as TimelineRecord),
    );
    const stop = (): void => {
      if (!this.stops.delete(stop)) return;
      unsubscribe();
      this.sessions.releaseIfIdle(session);
    };
    this.stops.add(stop);
    return stop;
  }

  /** Throws the policy's refusal when this client may not act now; without a session, in the hub as a whole. */
  mayAct(sessionId: string | undefined, method: string): void {
    const session = sessionId === undefined ? undefined : this.sessions.get(sessionId);
    this.policy.assert({
      client: this.id,
      kind: "act",
      method,
      session: session?.dispatcher.policySession(),
    });
  }

  /** Ends subscriptions and releases leases. */
  close(): void {
    this.closed = true;
    for (const stop of [...this.stops]) stop();
    for (const session of this.sessions.all()) session.dispatcher.lease.release(this.id);
  }

  private find(sessionId: string): Session {
    if (this.closed)
      throw new BridgeError("app_not_connected", `the client ${this.id} was closed; connect another`);
    return this.sessions.require(sessionId);
  }
}
