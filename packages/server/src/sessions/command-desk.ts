import { ACTING_COMMANDS, BridgeError, type Command, type HubResult } from "@debug-bridge/protocol";
import type { AppPeer, RawResult } from "./app-peer.js";
import { Arrivals } from "./arrivals.js";
import { addressCommand, type CommandEnvelope, maskedCommand } from "./commands.js";
import { failure, fromHub, success } from "./hub-results.js";
import { Lease } from "./lease.js";

const ACTING: ReadonlySet<string> = new Set(ACTING_COMMANDS);
/** Time that an app gets beyond what the command itself asked for, before the hub gives up on it. */
const GRACE_MS = 30_000;
/** A page that says that it is being left, and is still there after this long, has stayed: it was a download. */
const LEAVING_MS = 2_000;
/** The client name of what the hub asks by itself. */
export const HUB = "hub";
/** Names the page that connected last, where a session has several. */
const NEWEST = "newest";

export interface DeskOptions {
  readonly sessionId: string;
  readonly readOnly: boolean;
  readonly apps: ReadonlySet<AppPeer>;
  record(type: string, json: string): void;
  onAct(who: string, command: Command, outcome: string): void;
}

/** An answer: an app's own, as it came in, or one of the hub's. */
export type Answer = RawResult | { readonly message: HubResult; readonly text: string };

/**
 * Where a session's commands go through: who may act, which apps to ask, and that every command is answered, by the
 * apps or by the hub.
 */
export class CommandDesk {
  readonly lease = new Lease();
  readonly arrivals = new Arrivals();
  /** Ids under which commands run in the apps, by who sent them and the id that they chose. */
  private readonly running = new Map<string, string>();
  private nextId = 1;

  constructor(private readonly options: DeskOptions) {}

  /** Runs a command and answers it: once for each app that was asked, and once in any case. */
  async run(envelope: CommandEnvelope, client: string, answer: (answer: Answer) => void): Promise<void> {
    const { command } = envelope;
    const acts = ACTING.has(command.type);
    let outcome = "done";
    try {
      const own = await this.execute(envelope, client, acts, (result) => {
        if (!result.message.success) outcome = result.message.error ?? "failed";
        answer(result);
      });
      if (own) answer({ message: own, text: JSON.stringify(own) });
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      outcome = error.code;
      const message = failure(command, error);
      const text = JSON.stringify(message);
      if (client !== HUB) this.options.record("command_result", text);
      answer({ message, text });
    }
    if (acts || command.type === "acquire_lease") this.options.onAct(client, command, outcome);
  }

  private async execute(
    envelope: CommandEnvelope,
    client: string,
    acts: boolean,
    answer: (result: RawResult) => void,
  ): Promise<HubResult | undefined> {
    const { command } = envelope;
    switch (command.type) {
      case "acquire_lease": {
        const { owner, until } = this.lease.acquire(
          client,
          command.owner ?? client,
          Date.now(),
          command.ttlMs,
        );
        return success(command, { owner, until });
      }
      case "release_lease":
        this.lease.release(client);
        return success(command);
      case "cancel":
        return this.cancel(command, client);
    }
    const { apps } = this.options;
    const mayAct = (): void => {
      if (acts) this.assertMayAct(client);
    };
    mayAct();
    // Not awaited where a page is there: what is sent right after this, such as its cancelling, must find it running.
    if (apps.size === 0) await this.arrivals.expected(command.timeoutMs).then(mayAct);
    if (apps.size === 0) {
      throw new BridgeError(
        "app_not_connected",
        `no app is connected to session "${this.options.sessionId}"; open the app, or check its sessionId`,
      );
    }
    if (client !== HUB) this.options.record("command", maskedCommand(command, client));
    const refused = await this.askOnce(envelope, client, answer);
    if (!refused) return undefined;
    await this.arrivals.next(Math.min(LEAVING_MS, command.timeoutMs ?? LEAVING_MS));
    if (apps.size === 0) await this.arrivals.expected(command.timeoutMs);
    mayAct();
    if (apps.size > 0) await this.askApps(envelope, client, answer);
    else answer(refused);
    return undefined;
  }

  /** Asks the apps. What the only one of them refused because it is being left is not yet an answer. */
  private async askOnce(
    envelope: CommandEnvelope,
    client: string,
    answer: (result: RawResult) => void,
  ): Promise<RawResult | undefined> {
    const { instanceId = NEWEST } = envelope.command;
    const mayAskAnother = instanceId === NEWEST && this.options.apps.size === 1;
    let refused: RawResult | undefined;
    await this.askApps(envelope, client, (result) => {
      if (mayAskAnother && isLeaving(result)) refused = result;
      else answer(result);
    });
    return refused;
  }

  /** Refuses a client that may not act now. */
  assertMayAct(client: string): void {
    if (this.options.readOnly) {
      throw new BridgeError(
        "read_only",
        "the hub was started with --read-only: commands that look work, those that act do not",
      );
    }
    this.lease.assertMayAct(client, Date.now());
  }

  private async askApps(
    envelope: CommandEnvelope,
    client: string,
    answer: (result: RawResult) => void,
  ): Promise<void> {
    const { command } = envelope;
    const apps = this.appsFor(command.instanceId);
    const taken = (id: string): boolean => apps.some((app) => app.has(id));
    const { id, text, restore } = addressCommand(envelope, taken, () => `hub-${this.nextId++}`);
    const timeoutMs = (command.timeoutMs ?? ("maxMs" in command ? (command.maxMs ?? 0) : 0)) + GRACE_MS;
    const key = runningKey(client, command.requestId ?? id);
    this.running.set(key, id);
    try {
      const answers = apps.map(async (app) =>
        answer(restore(await app.ask(id, command.type, text, timeoutMs))),
      );
      const settled = await Promise.allSettled(answers);
      const failed = settled.filter((result) => result.status === "rejected");
      if (failed.length === settled.length) throw failed[0]?.reason;
    } finally {
      this.running.delete(key);
    }
  }

  /** Every app of the session, or the one that the command names. */
  private appsFor(instanceId: string | undefined): AppPeer[] {
    const apps = [...this.options.apps];
    if (instanceId === undefined) return apps;
    const named = instanceId === NEWEST ? apps.at(-1) : apps.find((app) => app.instanceId === instanceId);
    if (named) return [named];
    const there = apps.map((app) => app.instanceId ?? "one without an id").join(", ");
    throw new BridgeError("app_not_connected", `no page "${instanceId}" is connected; there are: ${there}`);
  }

  /** Takes back a command of the same client; nobody cancels what another sent. */
  private cancel(command: Extract<Command, { type: "cancel" }>, client: string): HubResult {
    const requestId = this.running.get(runningKey(client, command.requestId));
    if (requestId !== undefined) {
      const order = JSON.stringify({
        ...fromHub(command.sessionId),
        origin: "agent",
        type: "cancel",
        requestId,
      });
      for (const app of this.options.apps) app.send(order);
    }
    return success(command, { cancelled: requestId !== undefined });
  }
}

/** Whether a page did nothing because it is being left, and the next one can be asked. */
function isLeaving({ message }: RawResult): boolean {
  return !message.success && message.details?.retry === true;
}

function runningKey(client: string, requestId: string): string {
  return `${client} ${requestId}`;
}
