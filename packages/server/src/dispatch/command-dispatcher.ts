import {
  BridgeError,
  type Command,
  type CommandOf,
  HUB_COMMANDS,
  type HubResult,
  runOfClient,
} from "@debug-bridge/protocol";
import { RunningLoad } from "../bounds/running-load.js";
import { asWallTime, steadyNow } from "../bounds/steady-clock.js";
import type { EditTracker } from "../edits/edit-tracker.js";
import { type GivenEdits, waitForEdit } from "../edits/wait-for-edit.js";
import type { EditPictures } from "../pictures/edit-pictures.js";
import type { AppPeer, RawResult } from "../sessions/peers/app-peer.js";
import { actionText } from "./action-text.js";
import { addressCommand, type CommandEnvelope } from "./addressed-command.js";
import { CauseTracker } from "./cause-tracker.js";
import { failure, fromHub, success } from "./hub-results.js";
import { Lease } from "./lease.js";
import { maskedCommand, typedText } from "./masked-command.js";
import { NavigationGap } from "./navigation-gap.js";
import { classOfCommand, type Policy, type PolicyRequest, type PolicySession } from "./policy.js";
import { WaitingCommands } from "./waiting-commands.js";

/** Time that an app gets beyond what the command itself asks for, before the hub gives up on it. */
const GRACE_MS = 30_000;
/** A page that reports that it is being left, and is still there after this time, stays: it was a download. */
const LEAVING_TIMEOUT_MS = 2_000;
/** The client name of the hub's own commands, which are neither recorded nor audited. */
export const HUB = "hub";
const HUB_ONLY: ReadonlySet<string> = new Set(HUB_COMMANDS);
/** Clients inside this process, such as `browser_action`, have a deadline that a person would miss: the dispatcher asks them to try again. */
const INSIDE = /^client-\d+:/;
/** The page that connected last. Commands that name no page are for it. */
const NEWEST = "newest";
/** Every page of the session; each of them answers. */
const ALL = "all";

export interface DispatcherOptions {
  readonly sessionId: string;
  readonly policy: Policy;
  readonly apps: ReadonlySet<AppPeer>;
  /** What the session knows of its settings now. */
  settings?(): Omit<PolicySession, "lease">;
  /** Writes a record of the timeline; returns its sequence. */
  record(type: string, json: string, causedBy?: number): number;
  audit(entry: CommandAudit): void;
  /** A client sent a command. */
  onUsed?(): void;
  /** What is known of edits of the app's source code. */
  edits?(): EditTracker;
  /** Pictures of the page before and after the next edit. */
  pictureEdit?(): EditPictures | undefined;
  /** The picture of an app, which cannot take one itself; `undefined` when the page takes its own. */
  pictureApp?(command: CommandOf<"screenshot">): Promise<HubResult> | undefined;
  /** Resolves when all records so far are stored; `undefined` when they are. */
  stored?(): Promise<void> | undefined;
  /** Resolves when these pages report what is done in them, as far as that is wanted; `undefined` when they do, or it is not. */
  observed?(apps: readonly AppPeer[]): Promise<void> | undefined;
}

/** The audit entry of a command. */
export interface CommandAudit {
  readonly who: string;
  readonly what: string;
  readonly outcome: string;
  readonly target?: unknown;
}

/** An answer: an app's own, as it came in, or one of the hub's. */
export type Answer = RawResult | { readonly message: HubResult; readonly text: string };

export type LeaseCommand = Extract<Command, { type: "acquire_lease" | "release_lease" }>;

/** A command that runs: it is in the timeline, and its end has to be reported. */
export interface RunningCommand {
  /** Sequence of its record; `undefined` for commands of the hub itself. */
  readonly sequence: number | undefined;
  /** Ends it; `result` is recorded when the command was not answered by an app, whose answer is a record already. */
  end(result?: string): void;
}

/**
 * Runs the commands of one session, from every sender. For each it records the command, asks the policy, sends it to
 * the app, correlates the reply, links effects to it, and writes the audit entry.
 */
export class CommandDispatcher {
  readonly lease = new Lease();
  readonly gap = new NavigationGap();
  readonly causes = new CauseTracker();
  readonly load = new RunningLoad();
  /** Ids under which commands run in the apps, by who sent them and the id that they chose. */
  private readonly running = new Map<string, string>();
  private readonly waiting = new WaitingCommands();
  private readonly givenEdits: GivenEdits = new Map();
  private nextId = 1;
  private usedAt: number | undefined;

  constructor(private readonly options: DispatcherOptions) {}

  /** Runs a command and answers it: once for each app that was asked, and at least once. */
  async run(envelope: CommandEnvelope, client: string, reply: (answer: Answer) => void): Promise<void> {
    const { command } = envelope;
    const answers: Promise<void>[] = [];
    const answer = (given: Answer): void => {
      const stored = client === HUB ? undefined : this.options.stored?.();
      if (stored) answers.push(stored.then(() => reply(given), replyFailure));
      else reply(given);
    };
    const replyFailure = (thrown: unknown): void => {
      const message = failure(command, BridgeError.from(thrown));
      reply({ message, text: JSON.stringify(message) });
    };
    const acts = classOfCommand(command.type) === "act";
    const running = this.begin(client === HUB ? undefined : maskedCommand(command, client), acts);
    let outcome = "done";
    const answerOwn = (message: HubResult): void => {
      // Pictures are for the client that requested them: a timeline has no room for them.
      const { value: _value, ...rest } = message;
      const kept = command.type === "wait_for" || command.type === "screenshot" ? rest : message;
      if (client !== HUB) this.options.record("command_result", JSON.stringify(kept), running.sequence);
      answer({ message, text: JSON.stringify(message) });
    };
    try {
      const onResult = (result: RawResult): void => {
        if (!result.message.success) outcome = result.message.error ?? "failed";
        answer(result);
      };
      const execute = () => this.execute(envelope, client, running.sequence, onResult);
      // What ends others must not wait for them.
      const isCounted = client !== HUB && command.type !== "cancel";
      const own = await (isCounted ? this.load.during(envelope.text.length, execute) : execute());
      if (own) answerOwn(own);
    } catch (thrown) {
      const error = BridgeError.from(thrown);
      outcome = error.code;
      answerOwn(failure(command, error));
    } finally {
      running.end();
    }
    await Promise.all(answers);
    if (!acts && command.type !== "acquire_lease" && command.type !== "release_lease") return;
    const target = "target" in command ? { target: command.target } : {};
    this.options.audit({ who: client, what: command.type, ...target, outcome });
  }

  /** When a client sent the last command. Commands of the hub itself do not count. */
  get lastUsedAt(): number | undefined {
    return this.usedAt;
  }

  markUsed(): void {
    this.usedAt = Date.now();
    this.options.onUsed?.();
  }

  /** Records a command, and has effects linked to it until it ends. */
  begin(json: string | undefined, acts: boolean): RunningCommand {
    if (json === undefined) return { sequence: undefined, end: () => {} };
    this.markUsed();
    const sequence = this.options.record("command", json);
    if (acts) this.causes.begin(sequence);
    return {
      sequence,
      end: (result) => {
        this.causes.end(sequence);
        if (result !== undefined) this.options.record("command_result", result, sequence);
      },
    };
  }

  /** Throws when a client may not act now. */
  assertMayAct(client: string, method: string): void {
    this.options.policy.assert({ client, kind: "act", method, session: this.policySession() });
  }

  policySession(): PolicySession {
    return { lease: this.lease, id: this.options.sessionId, ...this.options.settings?.() };
  }

  /**
   * Throws when a client may not run a command now. It is a promise only when the person has to be asked: the page may
   * be another one after the answer, so everything is checked again then.
   */
  private admit(command: Command, client: string): Promise<void> | undefined {
    if (classOfCommand(command.type) !== "act") return undefined;
    const { policy } = this.options;
    const request: PolicyRequest = {
      ...{ client, kind: "act", method: command.type, session: this.policySession() },
      // Only these are asked about, and few commands are theirs.
      ...(runOfClient(client) === undefined ? {} : { action: actionText(command), to: addressOf(command) }),
    };
    const answered = policy.ask(request);
    if (!answered || INSIDE.test(client)) {
      policy.assert(request);
      return undefined;
    }
    const key = runningKey(client, command.requestId ?? "");
    return this.waiting
      .wait(key, "the person decided about it", () => answered)
      .then(() => this.admit(command, client));
  }

  private async execute(
    envelope: CommandEnvelope,
    client: string,
    sequence: number | undefined,
    answer: (result: RawResult) => void,
  ): Promise<HubResult | undefined> {
    const { command } = envelope;
    if (HUB_ONLY.has(command.type) && client !== HUB)
      throw new BridgeError(
        "not_supported",
        `only the hub sends ${command.type}, for people who look at its dashboard; what a page shows is at /v1/sessions/ID/frames`,
      );
    switch (command.type) {
      case "acquire_lease":
      case "release_lease":
        return this.changeLease(command, client);
      case "cancel":
        return this.cancel(command, client);
      case "wait_for":
        if (command.edit !== undefined) return this.waitForEdit(command, client);
        break;
      case "screenshot": {
        const picture = this.options.pictureApp?.(command);
        if (picture) return picture;
      }
    }
    const { apps } = this.options;
    const admit = (): Promise<void> | undefined => this.admit(command, client);
    const key = runningKey(client, command.requestId ?? "");
    const hold = (until: Promise<void>): Promise<void> =>
      this.waiting.wait(key, "a page got it", () => until);
    // Not awaited when a page is connected: a cancel that comes right after this must find the command running.
    const asked = admit();
    if (asked) await this.withoutEffects(asked, sequence);
    // A program may listen for commands only once it has said hello.
    const helloDueMs = [...apps].at(-1)?.helloDueMs ?? 0;
    if (helloDueMs > 0) await hold(this.gap.waitForNext(helloDueMs)).then(admit);
    if (apps.size === 0) await hold(this.gap.waitForExpected(command.timeoutMs)).then(admit);
    if (apps.size === 0) {
      throw new BridgeError(
        "app_not_connected",
        this.policySession().lossText ??
          `no app is connected to session "${this.options.sessionId}"; open the app, or check its sessionId`,
      );
    }
    const observed = this.untilObserved(command, client);
    if (observed) await hold(observed).then(admit);
    const giveUp = await this.sendOnce(envelope, client, sequence, answer);
    if (!giveUp) return undefined;
    const leavingMs = Math.min(LEAVING_TIMEOUT_MS, command.timeoutMs ?? LEAVING_TIMEOUT_MS);
    await hold(this.gap.waitForNext(leavingMs));
    if (apps.size === 0) await hold(this.gap.waitForExpected(command.timeoutMs));
    if (apps.size > 0) await hold(this.untilObserved(command, client) ?? Promise.resolve());
    await admit();
    if (apps.size > 0) await this.send(envelope, client, sequence, answer);
    else giveUp();
    return undefined;
  }

  /**
   * What is done in a page before it reports that would be missing in a recording, and what it led to could not be explained. A
   * dialog keeps a page from reporting.
   */
  private untilObserved({ type, instanceId }: Command, client: string): Promise<void> | undefined {
    if (client === HUB || type === "dialog" || classOfCommand(type) !== "act") return undefined;
    return this.options.observed?.(this.appsFor(instanceId));
  }

  private async waitForEdit(command: CommandOf<"wait_for">, client: string): Promise<HubResult> {
    const edits = this.options.edits?.();
    if (!edits) throw new BridgeError("not_supported", "this session has no development server");
    const { sessionId } = this.options;
    const pictures = command.screenshots === undefined ? undefined : this.options.pictureEdit?.();
    return this.waiting.wait(runningKey(client, command.requestId ?? ""), "an edit took effect", (signal) =>
      waitForEdit(command, edits, { client, sessionId, given: this.givenEdits, signal, pictures }),
    );
  }

  /** Waits for the person. What happens in the page meanwhile is not the command's doing. */
  private async withoutEffects(answer: Promise<void>, sequence: number | undefined): Promise<void> {
    if (sequence !== undefined) this.causes.end(sequence);
    await answer;
    if (sequence !== undefined) this.causes.begin(sequence);
  }

  /** Gives a client the right to act alone, or ends it. */
  changeLease(command: LeaseCommand, client: string): HubResult {
    if (command.type === "release_lease") {
      this.lease.release(client);
      return success(command);
    }
    const owner = command.owner ?? client;
    const state = this.lease.acquire(client, owner, steadyNow(), command.ttlMs);
    return success(command, { owner: state.owner, until: asWallTime(state.until) });
  }

  /**
   * Sends to the apps. When the only one refuses because it is being left, or is gone before it said what it sees, that is not yet
   * an answer: the next page is asked. The result gives the answer if none comes.
   */
  private async sendOnce(
    envelope: CommandEnvelope,
    client: string,
    sequence: number | undefined,
    answer: (result: RawResult) => void,
  ): Promise<(() => void) | undefined> {
    const { command } = envelope;
    const maySendAgain = (command.instanceId ?? NEWEST) === NEWEST && this.options.apps.size === 1;
    let giveUp: (() => void) | undefined;
    try {
      await this.send(envelope, client, sequence, (result) => {
        if (maySendAgain && isLeaving(result)) giveUp = () => answer(result);
        else answer(result);
      });
    } catch (thrown) {
      const isLook = classOfCommand(command.type) === "look";
      if (!maySendAgain || !isLook || !this.gap.isExpecting) throw thrown;
      giveUp = () => {
        throw thrown;
      };
    }
    return giveUp;
  }

  private async send(
    envelope: CommandEnvelope,
    client: string,
    sequence: number | undefined,
    answer: (result: RawResult) => void,
  ): Promise<void> {
    const { command } = envelope;
    const apps = this.appsFor(command.instanceId);
    const isTaken = (id: string): boolean => apps.some((app) => app.has(id));
    const { id, text, restore } = addressCommand(envelope, isTaken, () => `hub-${this.nextId++}`);
    const timeoutMs = (command.timeoutMs ?? ("maxMs" in command ? (command.maxMs ?? 0) : 0)) + GRACE_MS;
    const key = runningKey(client, command.requestId ?? id);
    this.running.set(key, id);
    try {
      const asked = { id, type: command.type, sequence, typed: typedText(command) };
      const answers = apps.map(async (app) => answer(restore(await app.request(asked, text, timeoutMs))));
      const settled = await Promise.allSettled(answers);
      const failed = settled.filter((result) => result.status === "rejected");
      if (failed.length === settled.length) throw failed[0]?.reason;
    } finally {
      this.running.delete(key);
    }
  }

  /** The page that the command names, the newest one, or all of them. */
  private appsFor(instanceId = NEWEST): AppPeer[] {
    const apps = [...this.options.apps];
    if (instanceId === ALL) return apps;
    const named = instanceId === NEWEST ? apps.at(-1) : apps.find((app) => app.instanceId === instanceId);
    if (named) return [named];
    const connected = apps.map((app) => app.instanceId ?? "one without an id").join(", ");
    throw new BridgeError(
      "app_not_connected",
      `no page "${instanceId}" is connected; use one of: ${connected}`,
    );
  }

  /** Cancels a command of the same client. No client can cancel another's. */
  private cancel(command: Extract<Command, { type: "cancel" }>, client: string): HubResult {
    const key = runningKey(client, command.requestId);
    const wasWaiting = this.waiting.cancel(key);
    const requestId = this.running.get(key);
    if (requestId !== undefined) {
      const order = JSON.stringify({
        ...fromHub(command.sessionId),
        origin: "agent",
        type: "cancel",
        requestId,
      });
      for (const app of this.options.apps) app.send(order);
    }
    return success(command, { cancelled: requestId !== undefined || wasWaiting });
  }
}

/** Whether a page did nothing because it is being left, and the next one can be asked. */
function isLeaving({ message }: RawResult): boolean {
  return !message.success && message.details?.retry === true;
}

/** Where a command leads. */
function addressOf(command: Command): string | undefined {
  return command.type === "navigate" ? command.url : undefined;
}

function runningKey(client: string, requestId: string): string {
  return `${client} ${requestId}`;
}
