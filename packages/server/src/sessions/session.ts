import {
  type AppMessage,
  BridgeError,
  type Command,
  type ExtensionLine,
  type HubMessage,
  type HubResult,
  isConsoleMessage,
  type SessionKind,
  type SessionSummary,
  type TabAccess,
} from "@debug-bridge/protocol";
import { type AgentPort, runAgentCommand } from "../dispatch/agent-commands.js";
import { type Answer, type CommandAudit, CommandDispatcher, HUB } from "../dispatch/command-dispatcher.js";
import { fromHub } from "../dispatch/hub-results.js";
import type { Policy } from "../dispatch/policy.js";
import { type Entry, gapJson, isoTime, recordJson, Timeline } from "../timeline/timeline.js";
import { AgentPeer, type AgentPeerOptions } from "./agent-peer.js";
import { AppPeer, type RawResult } from "./app-peer.js";
import { ConsoleLines } from "./console-lines.js";
import { LateJoinState } from "./late-join-state.js";
import type { Link } from "./link.js";
import { SequenceDeduplicator } from "./sequence-deduplicator.js";

export interface SessionHost {
  readonly policy: Policy;
  readonly version: string;
  /** Receives every record, for recordings and for readers of all sessions. */
  onEntry(session: Session, entry: Entry): void;
  onAudit(session: Session, entry: CommandAudit): void;
  onPeersChanged(session: Session): void;
}

type Listener = (entry: Entry) => void;
type Hello = Extract<AppMessage, { type: "hello" }>;

/** One thing that can be debugged: its apps, its agents, its timeline, and the routes between them. */
export class Session {
  readonly timeline: Timeline;
  readonly dispatcher: CommandDispatcher;
  private readonly apps = new Set<AppPeer>();
  private readonly agents = new Set<AgentPeer>();
  /** The state of the page that sent `hello` last, which describes the session while nobody is connected. */
  private newest = new LateJoinState();
  private readonly deduplicator = new SequenceDeduplicator();
  private readonly listeners = new Set<Listener>();
  private readonly consoleLines = new ConsoleLines();
  private port: AgentPort | undefined;
  private followed = false;
  /** Whether it is the tab in front. */
  active = false;
  /** What the person lets agents do in a tab. */
  access: TabAccess | undefined;
  /** Why agents cannot use it any more, when the person decided that. */
  lossText: string | undefined;

  constructor(
    readonly id: string,
    private readonly host: SessionHost,
  ) {
    this.timeline = new Timeline(id);
    this.dispatcher = new CommandDispatcher({
      sessionId: id,
      policy: host.policy,
      apps: this.apps,
      settings: () => ({
        allowsEval: this.newest.allowsEval,
        access: this.access,
        lossText: this.lossText,
      }),
      record: (type, json, causedBy) => this.record(type, Date.now(), json, causedBy).sequence,
      audit: (entry) => host.onAudit(this, entry),
    });
  }

  get kind(): SessionKind {
    return this.newest.hello?.kind ?? "app";
  }

  get isEmpty(): boolean {
    return !this.port && this.apps.size === 0 && this.agents.size === 0 && this.listeners.size === 0;
  }

  /** Whether it is an agent that writes its own files, which need no second recording. */
  get isFollowed(): boolean {
    return this.followed;
  }

  /** Follows an agent's files from now on. */
  attachAgent(port: AgentPort, about: { url: string; title: string; appName?: string }): void {
    this.port = port;
    this.followed = true;
    const hello = {
      ...fromHub(this.id),
      ...about,
      type: "hello",
      kind: "agent",
      userAgent: "agent",
    } as const;
    const message = { ...hello, origin: "app" as const };
    this.newest.update(message, JSON.stringify(message));
    this.afterHello();
  }

  /** The agent has ended. */
  detachAgent(): void {
    this.port = undefined;
    this.sendStatus();
    this.host.onPeersChanged(this);
  }

  /** An event that an agent wrote. */
  fromFile(type: string, at: number, json: string): void {
    const entry = this.record(type, at, json);
    if (this.agents.size === 0) return;
    const text = recordJson(this.id, entry);
    for (const agent of this.agents) agent.forward(text);
  }

  /** Runs a command for an agent; always answered. */
  control(input: unknown, client: string): Promise<HubResult> {
    this.dispatcher.markUsed();
    return runAgentCommand(input, this.port, {
      sessionId: this.id,
      client,
      dispatcher: this.dispatcher,
      audit: (entry) => this.host.onAudit(this, entry),
    });
  }

  /** What readers of the list see of it has changed. */
  reportChange(): void {
    this.host.onPeersChanged(this);
  }

  get appCount(): number {
    return this.apps.size;
  }

  /** `kind`: what a provider inside the hub creates. Apps on sockets are of kind `app`. */
  addApp(link: Link, kind: SessionKind = "app"): AppPeer {
    const app = new AppPeer(link, kind);
    this.apps.add(app);
    return app;
  }

  /** `goingAway`: its page is being left, most likely for another. */
  removeApp(app: AppPeer, reason: string, goingAway = false): void {
    if (!this.apps.delete(app)) return;
    this.consoleLines.onAppLeft(app.kind, Date.now());
    if (goingAway) this.dispatcher.gap.onPageLeft();
    app.onLost(reason);
    this.sendStatus();
    this.host.onPeersChanged(this);
  }

  addAgent(link: Link, options: AgentPeerOptions & { since?: number | undefined }): AgentPeer {
    const agent = new AgentPeer(this.id, link, options);
    if (options.records) this.replay(agent, options.since ?? this.timeline.sequence);
    else if (!options.quiet) this.bringUpToDate(agent);
    this.agents.add(agent);
    agent.sendMessage(this.status());
    this.sendAgentCount();
    this.host.onPeersChanged(this);
    return agent;
  }

  removeAgent(agent: AgentPeer): void {
    if (!this.agents.delete(agent)) return;
    this.dispatcher.lease.release(agent.id);
    this.sendAgentCount();
    this.host.onPeersChanged(this);
  }

  /** Calls `listener` for every new record; returns a function that stops it. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A valid message from an app: recorded, and forwarded to the agents as the bytes that came in. */
  fromApp(app: AppPeer, message: AppMessage, text: string, raw: Buffer | string): void {
    if (message.type === "hello") {
      const hello = { ...message, kind: app.kind };
      const same = (message.kind ?? "app") === app.kind;
      this.onHello(app, hello, same ? text : JSON.stringify(hello), same ? raw : undefined);
      return;
    }
    if (!this.deduplicator.isNew(app.instanceId, message.seq)) return;
    if (message.type === "command_result") {
      this.record(message.type, message.timestamp, text, app.commandOf(message)?.sequence);
      app.state.update(message, text);
      if (app.settle({ message, text })) return;
    } else {
      const data = this.recordData(app, message, text);
      if (data === undefined) return;
      this.record(message.type, message.timestamp, data, this.dispatcher.causes.current);
      app.state.update(message, text);
    }
    for (const agent of this.agents) agent.forward(raw);
  }

  private onHello(app: AppPeer, hello: Hello, text: string, raw: Buffer | string | undefined): void {
    this.greet(app, hello.instanceId);
    this.consoleLines.onHello(hello);
    this.record("hello", hello.timestamp, text, this.dispatcher.causes.current);
    app.state.update(hello, text);
    for (const agent of this.agents) agent.forward(raw ?? text);
    this.dispatcher.gap.onPageArrived();
    this.afterHello();
  }

  /** A console line that the extension reported. */
  fromExtension(line: ExtensionLine): void {
    if (!this.consoleLines.acceptsFromExtension(line)) return;
    this.record(line.type, line.at, JSON.stringify(line.data), this.dispatcher.causes.current);
    if (this.agents.size === 0) return;
    const text = JSON.stringify({ sessionId: this.id, timestamp: line.at, origin: "app", ...line.message });
    for (const agent of this.agents) agent.forward(text);
  }

  /** Describes a session in which no app sends `hello`. */
  describe(about: { kind: SessionKind; url: string; title: string; userAgent: string }): void {
    if (this.newest.hello?.url === about.url) return;
    const hello = {
      ...about,
      type: "hello" as const,
      sessionId: this.id,
      timestamp: Date.now(),
      origin: "app" as const,
    };
    const text = JSON.stringify(hello);
    this.newest.update(hello, text);
    this.record("hello", hello.timestamp, text);
    for (const agent of this.agents) agent.forward(text);
  }

  /** Whether the page with this `instanceId` is connected. */
  hasInstance(instanceId: string): boolean {
    for (const app of this.apps) if (app.instanceId === instanceId) return true;
    return false;
  }

  /** A valid command from an agent. Every one of them is answered, by the app or by the hub. */
  fromAgent(agent: AgentPeer, command: Command, text: string): void {
    void this.dispatcher.run({ command, text }, agent.id, (answer) => agent.send(answer.text));
  }

  /** Runs a command from inside the process (the HTTP API, in-process clients); resolves with the first result. */
  async command(
    input: { type: string; [key: string]: unknown },
    client: string,
  ): Promise<RawResult["message"] | HubResult> {
    const command = { ...input, sessionId: this.id, timestamp: Date.now(), origin: "agent" } as Command;
    const answers: Answer[] = [];
    await this.dispatcher.run({ command, text: JSON.stringify(command) }, client, (answer) =>
      answers.push(answer),
    );
    const [first] = answers;
    if (!first) throw new BridgeError("internal", `${command.type} was not answered`);
    return first.message;
  }

  summary(now = Date.now()): SessionSummary {
    const { hello } = this.newest;
    const newest = this.timeline.newest;
    const lease = this.dispatcher.lease.current(now);
    const { lastUsedAt } = this.dispatcher;
    return {
      id: this.id,
      kind: this.kind,
      connected: this.apps.size > 0 || this.port !== undefined,
      apps: this.apps.size,
      agents: this.agents.size,
      sequence: this.timeline.sequence,
      ...(newest ? { lastEventAt: isoTime(newest.at) } : {}),
      ...(lastUsedAt === undefined ? {} : { lastUsedAt: isoTime(lastUsedAt) }),
      ...(this.active ? { active: true } : {}),
      ...(this.access ? { access: this.access } : {}),
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

  /** Appends a record to the timeline. */
  record(type: string, at: number, json: string, causedBy?: number): Entry {
    const entry = this.timeline.append(type, at, asOneLine(json), causedBy);
    for (const agent of this.agents) agent.sendRecord(entry);
    for (const listener of this.listeners) listener(entry);
    this.host.onEntry(this, entry);
    return entry;
  }

  /** The `data` of a message's record; `undefined` for a console line that is recorded already. */
  private recordData(app: AppPeer, message: AppMessage, text: string): string | undefined {
    if (!isConsoleMessage(message)) return text;
    const data = this.consoleLines.fromApp(message, { kind: app.kind, url: app.state.url });
    return data && JSON.stringify(data);
  }

  /** Sends the state that is still valid, and requests a new tree when the kept one is not. */
  private bringUpToDate(agent: AgentPeer): void {
    const pages = this.apps.size > 0 ? [...this.apps].map((app) => app.state) : [this.newest];
    for (const page of pages) for (const text of page.messages()) agent.send(text);
    if (this.apps.size > 0 && pages.some((page) => page.lacksTree)) {
      void this.command({ type: "request_ui_tree", instanceId: "all" }, HUB).catch(() => {});
    }
  }

  private replay(agent: AgentPeer, since: number): void {
    const { entries, gap } = this.timeline.readSince(since);
    if (gap) agent.send(gapJson(this.id, (gap.to ?? since) + 1, gap));
    for (const entry of entries) agent.sendRecord(entry);
  }

  private greet(app: AppPeer, instanceId: string | undefined): void {
    app.instanceId = instanceId;
    // A page that connects again continues where it was.
    if (instanceId !== undefined && this.newest.hello?.instanceId === instanceId) app.state = this.newest;
    this.newest = app.state;
    if (instanceId === undefined) return;
    for (const other of this.apps) {
      if (other === app || other.instanceId !== instanceId) continue;
      this.apps.delete(other);
      app.state = other.state;
      this.newest = app.state;
      other.onLost("the page connected again");
      other.close(1000, "replaced by a newer connection of the same page");
    }
    app.sendMessage({
      ...fromHub(this.id),
      type: "welcome",
      serverVersion: this.host.version,
      instanceId,
      lastSeq: this.deduplicator.lastSeq(instanceId, this.connectedInstances()),
      agents: this.agents.size,
      deltas: this.deltasUnderstood(),
    });
  }

  private connectedInstances(): Set<string | undefined> {
    return new Set([...this.apps].map((app) => app.instanceId));
  }

  private afterHello(): void {
    this.sendStatus();
    this.host.onPeersChanged(this);
  }

  private sendAgentCount(): void {
    const deltas = this.deltasUnderstood();
    for (const app of this.apps) {
      if (app.instanceId !== undefined)
        app.sendMessage({ ...fromHub(this.id), type: "agents_changed", agents: this.agents.size, deltas });
    }
  }

  private deltasUnderstood(): boolean {
    for (const { options } of this.agents) if (!options.deltas && !options.quiet) return false;
    return true;
  }

  private sendStatus(): void {
    for (const agent of this.agents) agent.sendMessage(this.status());
  }

  private status(): HubMessage {
    const isThere = this.apps.size > 0 || this.port !== undefined;
    const status = isThere ? ("connected" as const) : ("disconnected" as const);
    return { ...fromHub(this.id), type: "session_status", status, apps: this.apps.size };
  }
}

/** Event streams and recordings have one record per line, and JSON allows line breaks between members. */
function asOneLine(json: string): string {
  return json.includes("\n") || json.includes("\r") ? JSON.stringify(JSON.parse(json)) : json;
}
