import {
  ACTING_COMMANDS,
  type AppMessage,
  BridgeError,
  type Command,
  type HubMessage,
  type HubResult,
  type SessionKind,
} from "@debug-bridge/protocol";
import { type Entry, gapJson, isoTime, Timeline } from "../timeline/timeline.js";
import { AgentPeer, type AgentPeerOptions } from "./agent-peer.js";
import { AppPeer, type RawResult } from "./app-peer.js";
import { addressCommand, type CommandEnvelope, maskedCommand } from "./commands.js";
import { Instances } from "./instances.js";
import { Lease } from "./lease.js";
import type { Link } from "./link.js";
import { Retained } from "./retained.js";

const ACTING: ReadonlySet<string> = new Set(ACTING_COMMANDS);
/** Time that an app gets beyond what the command itself asked for, before the hub gives up on it. */
const GRACE_MS = 30_000;
/** The client name of what the hub asks by itself. */
const HUB = "hub";

export interface SessionHost {
  readonly readOnly: boolean;
  readonly version: string;
  /** Told of every event, for recording and for readers of all sessions. */
  onEntry(session: Session, entry: Entry): void;
  onAct(session: Session, who: string, command: Command, outcome: string): void;
  onPeersChanged(session: Session): void;
}

/** What lists of sessions show of one. */
export interface SessionSummary {
  readonly id: string;
  readonly kind: SessionKind;
  readonly connected: boolean;
  readonly apps: number;
  readonly agents: number;
  readonly sequence: number;
  readonly lastEventAt?: string;
  readonly appName?: string;
  readonly appVersion?: string;
  readonly url?: string;
  readonly title?: string;
  readonly leaseOwner?: string;
}

type Listener = (entry: Entry) => void;

/** One thing that can be debugged: its apps, its agents, its timeline, and the ways between them. */
export class Session {
  readonly timeline: Timeline;
  readonly lease = new Lease();
  private readonly apps = new Set<AppPeer>();
  private readonly agents = new Set<AgentPeer>();
  private readonly retained = new Retained();
  private readonly instances = new Instances();
  private readonly listeners = new Set<Listener>();
  private nextCommand = 1;

  constructor(
    readonly id: string,
    private readonly host: SessionHost,
  ) {
    this.timeline = new Timeline(id);
  }

  get isEmpty(): boolean {
    return this.apps.size === 0 && this.agents.size === 0 && this.listeners.size === 0;
  }

  get appCount(): number {
    return this.apps.size;
  }

  addApp(link: Link): AppPeer {
    const app = new AppPeer(link);
    this.apps.add(app);
    return app;
  }

  removeApp(app: AppPeer, reason: string): void {
    if (!this.apps.delete(app)) return;
    app.lost(reason);
    this.sayStatus();
    this.host.onPeersChanged(this);
  }

  addAgent(link: Link, options: AgentPeerOptions & { since?: number | undefined }): AgentPeer {
    const agent = new AgentPeer(this.id, link, options);
    if (options.records) this.replay(agent, options.since ?? this.timeline.sequence);
    else if (!options.quiet) this.bringUpToDate(agent);
    this.agents.add(agent);
    agent.say(this.status());
    this.tellAppsOfAgents();
    this.host.onPeersChanged(this);
    return agent;
  }

  removeAgent(agent: AgentPeer): void {
    if (!this.agents.delete(agent)) return;
    this.lease.release(agent.id);
    this.tellAppsOfAgents();
    this.host.onPeersChanged(this);
  }

  /** Follows the timeline inside the process; returns how to stop. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A valid message from an app: into the timeline and on to the agents, as the bytes that came in. */
  fromApp(app: AppPeer, message: AppMessage, text: string, raw: Buffer | string): void {
    if (message.type === "hello") this.greet(app, message.instanceId);
    else if (!this.instances.isNew(app.instanceId, message.seq)) return;
    const entry = this.record(message.type, message.timestamp, text);
    this.retained.note(message, text);
    if (message.type === "command_result" && app.answer({ message, text })) return;
    for (const agent of this.agents) agent.deliver(raw, entry);
    if (message.type === "hello") this.afterHello();
  }

  /** A valid command from an agent. Every one of them is answered, by the app or by the hub. */
  async fromAgent(agent: AgentPeer, command: Command, text: string): Promise<void> {
    const reply = (result: RawResult): void => agent.send(result.text);
    const answered = await this.execute({ command, text }, agent.id, reply).catch((thrown) => {
      agent.say(this.failure(command, BridgeError.from(thrown)));
    });
    if (answered) agent.say(answered);
  }

  /** A command from inside the process (the HTTP API, the hub itself); resolves with the first app's result. */
  async command(
    input: { type: string; [key: string]: unknown },
    client: string,
  ): Promise<RawResult["message"] | HubResult> {
    const command = { ...input, sessionId: this.id, timestamp: Date.now(), origin: "agent" } as Command;
    let first: RawResult | undefined;
    const own = await this.execute({ command, text: JSON.stringify(command) }, client, (result) => {
      first ??= result;
    });
    return own ?? (first as RawResult).message;
  }

  summary(now = Date.now()): SessionSummary {
    const { hello } = this.retained;
    const newest = this.timeline.newest;
    const lease = this.lease.current(now);
    return {
      id: this.id,
      kind: hello?.kind ?? "app",
      connected: this.apps.size > 0,
      apps: this.apps.size,
      agents: this.agents.size,
      sequence: this.timeline.sequence,
      ...(newest ? { lastEventAt: isoTime(newest.at) } : {}),
      ...(hello?.appName ? { appName: hello.appName } : {}),
      ...(hello?.appVersion ? { appVersion: hello.appVersion } : {}),
      ...(hello ? { url: hello.url } : {}),
      ...(hello?.title ? { title: hello.title } : {}),
      ...(lease ? { leaseOwner: lease.owner } : {}),
    };
  }

  close(reason: string): void {
    for (const peer of [...this.apps, ...this.agents]) peer.close(1001, reason);
  }

  /** Writes an event of the hub's own into the timeline. */
  record(type: string, at: number, json: string): Entry {
    const entry = this.timeline.append(type, at, json);
    for (const listener of this.listeners) listener(entry);
    this.host.onEntry(this, entry);
    return entry;
  }

  /** Runs a command; returns the hub's own answer where there is no app to ask. */
  private async execute(
    envelope: CommandEnvelope,
    client: string,
    reply: (result: RawResult) => void,
  ): Promise<HubResult | undefined> {
    const { command } = envelope;
    if (command.type === "acquire_lease") return this.acquireLease(command, client);
    if (command.type === "release_lease") {
      this.lease.release(client);
      return this.success(command, {});
    }
    if (command.type === "cancel") {
      for (const app of this.apps) app.send(envelope.text);
      return undefined;
    }
    const acts = ACTING.has(command.type);
    const at = Date.now();
    try {
      if (acts) this.assertMayAct(client, at);
      if (this.apps.size === 0) {
        throw new BridgeError(
          "app_not_connected",
          `no app is connected to session "${this.id}"; open the app, or check its sessionId`,
        );
      }
      if (client !== HUB) this.record("command", at, maskedCommand(command, client));
      await this.askApps(envelope, reply);
      if (acts) this.host.onAct(this, client, command, "answered");
      return undefined;
    } catch (thrown) {
      if (acts) this.host.onAct(this, client, command, BridgeError.from(thrown).code);
      throw thrown;
    }
  }

  private assertMayAct(client: string, now: number): void {
    if (this.host.readOnly) {
      throw new BridgeError(
        "read_only",
        "the hub was started with --read-only: commands that look work, those that act do not",
      );
    }
    this.lease.assertMayAct(client, now);
  }

  private async askApps(envelope: CommandEnvelope, reply: (result: RawResult) => void): Promise<void> {
    const { command } = envelope;
    const taken = (id: string): boolean => [...this.apps].some((app) => app.has(id));
    const { id, text, restore } = addressCommand(envelope, taken, () => `hub-${this.nextCommand++}`);
    const timeoutMs = (command.timeoutMs ?? ("maxMs" in command ? (command.maxMs ?? 0) : 0)) + GRACE_MS;
    const answers = [...this.apps].map(async (app) =>
      reply(restore(await app.ask(id, command.type, text, timeoutMs))),
    );
    const settled = await Promise.allSettled(answers);
    const failed = settled.filter((answer) => answer.status === "rejected");
    if (failed.length === settled.length) throw failed[0]?.reason;
  }

  private acquireLease(command: Extract<Command, { type: "acquire_lease" }>, client: string): HubResult {
    const state = this.lease.acquire(client, command.owner ?? client, Date.now(), command.ttlMs);
    return this.success(command, { value: { owner: state.owner, until: state.until } });
  }

  /** What was said before and still holds; a tree that does not is asked for anew. */
  private bringUpToDate(agent: AgentPeer): void {
    for (const text of this.retained.messages()) agent.send(text);
    if (this.retained.lacksTree && this.apps.size > 0) {
      void this.command({ type: "request_ui_tree" }, HUB).catch(() => {});
    }
  }

  private replay(agent: AgentPeer, since: number): void {
    const { entries, gap } = this.timeline.readSince(since);
    if (gap) agent.send(gapJson(this.id, (gap.to ?? since) + 1, gap));
    for (const entry of entries) agent.deliver("", entry);
  }

  private greet(app: AppPeer, instanceId: string | undefined): void {
    app.instanceId = instanceId;
    if (instanceId === undefined) return;
    for (const other of this.apps) {
      if (other === app || other.instanceId !== instanceId) continue;
      this.apps.delete(other);
      other.lost("the page connected again");
      other.close(1000, "replaced by a newer connection of the same page");
    }
    app.say({
      ...this.base(),
      type: "welcome",
      serverVersion: this.host.version,
      instanceId,
      lastSeq: this.instances.lastSeq(instanceId),
      agents: this.agents.size,
      deltas: this.deltasUnderstood(),
    });
  }

  private afterHello(): void {
    this.sayStatus();
    this.host.onPeersChanged(this);
  }

  private tellAppsOfAgents(): void {
    const deltas = this.deltasUnderstood();
    for (const app of this.apps) {
      if (app.instanceId !== undefined)
        app.say({ ...this.base(), type: "agents_changed", agents: this.agents.size, deltas });
    }
  }

  private deltasUnderstood(): boolean {
    for (const { options } of this.agents) if (!options.deltas && !options.quiet) return false;
    return true;
  }

  private sayStatus(): void {
    for (const agent of this.agents) agent.say(this.status());
  }

  private status(): HubMessage {
    const status = this.apps.size > 0 ? ("connected" as const) : ("disconnected" as const);
    return { ...this.base(), type: "session_status", status, apps: this.apps.size };
  }

  private success(command: Command, fields: object): HubResult {
    return { ...this.base(), ...resultOf(command), success: true, ...fields };
  }

  private failure(command: Command, error: BridgeError): HubResult {
    return { ...this.base(), ...resultOf(command), ...error.toCommandResult() } as HubResult;
  }

  private base(): { sessionId: string; timestamp: number; origin: "hub" } {
    return { sessionId: this.id, timestamp: Date.now(), origin: "hub" };
  }
}

function resultOf(command: Command) {
  return {
    type: "command_result" as const,
    requestType: command.type,
    ...(command.requestId === undefined ? {} : { requestId: command.requestId }),
  };
}
