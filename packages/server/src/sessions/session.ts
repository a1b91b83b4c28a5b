import {
  type AppMessage,
  BridgeError,
  type Command,
  type ExtensionLine,
  type HubMessage,
  type HubResult,
  type SessionKind,
  type SessionSummary,
  type TabAccess,
} from "@debug-bridge/protocol";
import { steadyNow } from "../bounds/steady-clock.js";
import { type AgentPort, runAgentCommand } from "../dispatch/agent-commands.js";
import { type Answer, CommandDispatcher, HUB } from "../dispatch/command-dispatcher.js";
import { fromHub } from "../dispatch/hub-results.js";
import { maskedResult } from "../dispatch/masked-command.js";
import { siteOrigin } from "../dispatch/site.js";
import { EditTracker } from "../edits/edit-tracker.js";
import { asOneLine } from "../timeline/one-line.js";
import { type Entry, recordJson, Timeline } from "../timeline/timeline.js";
import type { SessionBudgets } from "./budgets.js";
import { Ownership } from "./ownership.js";
import { Pages } from "./pages.js";
import { AgentPeer, type AgentPeerOptions } from "./peers/agent-peer.js";
import { AgentPeers, replay } from "./peers/agent-peers.js";
import { type AppOptions, type AppPeer, isKept, type RawResult } from "./peers/app-peer.js";
import { type Hello, helloOf } from "./peers/hello.js";
import type { Link } from "./peers/link.js";
import { ConsoleRecords } from "./records/console-records.js";
import { HeldRecords } from "./records/held-records.js";
import { isPicture } from "./records/picture-message.js";
import type { SessionHost } from "./session-host.js";
import { summaryOf } from "./summary.js";

type Listener = (entry: Entry) => void;

/** One thing that can be debugged: its apps, its agents, its timeline, and the routes between them. */
export class Session {
  readonly timeline: Timeline;
  readonly dispatcher: CommandDispatcher;
  readonly edits: EditTracker;
  readonly ownership = new Ownership();
  private readonly agents = new AgentPeers();
  readonly pages: Pages;
  private readonly listeners = new Set<Listener>();
  private readonly console = new ConsoleRecords();
  readonly held: HeldRecords;
  private port: AgentPort | undefined;
  private followed = false;
  /** Whether it is the tab in front. */
  active = false;
  /** What the person lets agents do in a tab. */
  access: TabAccess | undefined;
  /** Why agents can no longer use it, when the person decided that. */
  lossText: string | undefined;

  constructor(
    readonly id: string,
    private readonly host: SessionHost,
    budgets?: SessionBudgets,
  ) {
    this.timeline = new Timeline(id, undefined, budgets?.timelines);
    this.held = new HeldRecords(this.timeline, {
      isFull: () => host.isFull?.(this) ?? false,
      store: (entry) => host.store?.(this, entry) ?? "nobody",
      publish: (entry) => this.publish(entry),
    });
    this.pages = new Pages(budgets?.lateJoin);
    const record = (type: string, json: string, causedBy?: number): number =>
      this.record(type, Date.now(), json, causedBy).sequence;
    this.dispatcher = new CommandDispatcher({
      sessionId: id,
      policy: host.policy,
      apps: this.pages.apps,
      settings: () => ({
        allowsEval: this.pages.newest.allowsEval,
        ...{ access: this.access, lossText: this.lossText },
        origin: siteOrigin(this.ownership.owner, this.pages.newest.hello?.url),
      }),
      record,
      audit: (entry) => host.onAudit(this, entry),
      onUsed: () => host.onUsed?.(this),
      edits: () => this.edits,
      ...{ pictureEdit: () => host.pictureEdit?.(this), pictureApp: (c) => host.pictureApp?.(this, c) },
      ...{ stored: () => this.held.settled(), observed: (apps) => host.observed?.(this, apps) },
    });
    const { causes } = this.dispatcher;
    this.edits = new EditTracker({ causes, record, goneFor: () => this.ownership.goneFor(steadyNow()) });
  }

  get kind(): SessionKind {
    const { owner } = this.ownership;
    // A provider inside the hub gives a kind before its page has said hello.
    return this.pages.newest.hello?.kind ?? (owner?.kind === "hub" ? owner.sessions : "app");
  }

  /** Whether nobody is connected, and no app was for at least this long. */
  isAbandoned(now: number, forMs: number): boolean {
    return this.isEmpty && this.ownership.goneFor(now) >= forMs;
  }

  /** Releases what it keeps of pages that left a while ago. */
  releasePages(now: number, afterMs: number): void {
    if (this.pages.apps.size === 0 && this.ownership.goneFor(now) >= afterMs) this.pages.newest.release();
  }

  /** The session leaves the list; what it keeps is no longer counted. */
  forget(): void {
    this.held.drop();
    this.timeline.close();
    this.pages.newest.release();
    this.host.onForgotten?.(this);
  }

  get isEmpty(): boolean {
    return !this.port && this.pages.apps.size === 0 && this.agents.size === 0 && this.listeners.size === 0;
  }

  /** Whether it is an agent that writes its own files, which need no second recording. */
  get isFollowed(): boolean {
    return this.followed;
  }

  /** Follows an agent's files from now on. */
  attachAgent(port: AgentPort, about: { url: string; title: string; appName?: string }): void {
    this.port = port;
    this.followed = true;
    const hello = helloOf(this.id, { ...about, kind: "agent", userAgent: "agent" });
    this.pages.newest.update(hello, JSON.stringify(hello));
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
    if (this.agents.size > 0) this.agents.forward(recordJson(this.id, entry));
  }

  /** Runs a command for an agent; always answered. */
  async control(input: unknown, client: string): Promise<HubResult> {
    this.dispatcher.markUsed();
    const result = await runAgentCommand(input, this.port, {
      ...{ sessionId: this.id, client, dispatcher: this.dispatcher },
      audit: (entry) => this.host.onAudit(this, entry),
      record: (type, json, causedBy) => this.record(type, Date.now(), json, causedBy).sequence,
    });
    await this.held.settled();
    return result;
  }

  /** What readers of the list see of it has changed. */
  reportChange(): void {
    this.host.onPeersChanged(this);
  }

  get appCount(): number {
    return this.pages.apps.size;
  }

  /** Whether its newest page can send what it shows. */
  get canBeWatched(): boolean {
    return this.pages.newest.canBeWatched;
  }

  get agentCount(): number {
    return this.agents.size;
  }

  addApp(link: Link, options: AppOptions = {}): AppPeer {
    this.ownership.onAppJoined();
    const app = this.pages.add(link, options);
    this.host.onAppJoined?.(this);
    return app;
  }

  /** `goingAway`: its page is being left, most likely for another. */
  removeApp(app: AppPeer, reason: string, goingAway = false): void {
    if (!this.pages.remove(app, reason)) return;
    this.console.lines.onAppLeft(app.kind, Date.now());
    if (goingAway) this.dispatcher.gap.onPageLeft();
    if (this.pages.apps.size === 0) this.ownership.onAppsGone(steadyNow());
    this.sendStatus();
    this.host.onPeersChanged(this);
  }

  addAgent(link: Link, options: AgentPeerOptions & { since?: number | undefined }): AgentPeer {
    const agent = new AgentPeer(this.id, link, options);
    if (options.records) replay(agent, this.timeline, options.since ?? this.timeline.sequence);
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
  fromApp(app: AppPeer, message: AppMessage, received: string, bytes: Buffer | string): void {
    const text = asOneLine(received);
    const raw = text === received ? bytes : text;
    if (message.type === "hello") {
      const hello = { ...message, kind: app.kind };
      const same = (message.kind ?? "app") === app.kind;
      this.onHello(app, hello, same ? text : JSON.stringify(hello), same ? raw : undefined);
      return;
    }
    if (!this.pages.deduplicator.isNew(app.instanceId, message.seq) || this.edits.consumes(message)) return;
    if (isPicture(message)) {
      if (app.state === this.pages.newest) this.host.onPicture?.(this, message);
      return;
    }
    if (message.type === "command_result") {
      const command = app.commandOf(message);
      const result = this.console.formatted.apply({ message, text });
      const masked = maskedResult(result.text, command?.typed);
      if (isKept(command))
        this.append(message.type, message.timestamp, masked, command?.sequence, app.source);
      app.state.update(message, text);
      if (app.settle(result)) return;
    } else {
      const data = this.console.dataOf(app, message, text);
      if (data === undefined) return;
      this.append(message.type, message.timestamp, data, this.dispatcher.causes.current, app.source);
      app.state.update(message, text);
      if (message.type === "navigation") app.identify(app.instanceId);
      if (message.type === "capabilities" && app.state === this.pages.newest) this.host.onPage?.(this);
    }
    this.agents.forward(raw);
  }

  private onHello(app: AppPeer, hello: Hello, text: string, raw: Buffer | string | undefined): void {
    this.pages.onHello(app, hello.instanceId);
    if (hello.instanceId !== undefined) this.welcome(app, hello.instanceId);
    this.console.lines.onHello(hello);
    app.state.update(hello, text);
    app.identify(hello.instanceId);
    this.append("hello", hello.timestamp, text, this.dispatcher.causes.current, app.source);
    this.agents.forward(raw ?? text);
    this.dispatcher.gap.onPageArrived();
    this.afterHello();
  }

  /** A console line that the extension reported. */
  fromExtension(line: ExtensionLine): void {
    if (!this.console.lines.acceptsFromExtension(line)) return;
    const { origin } = line.data;
    const source = origin === undefined ? "" : `,"origin":${JSON.stringify(origin)}`;
    this.append(
      line.type,
      line.at,
      asOneLine(JSON.stringify(line.data)),
      this.dispatcher.causes.current,
      source,
    );
    if (this.agents.size === 0) return;
    const text = JSON.stringify({ sessionId: this.id, timestamp: line.at, origin: "app", ...line.message });
    this.agents.forward(text);
  }

  /** Describes a session in which no app sends `hello`. */
  describe(about: { kind: SessionKind; url: string; title: string; userAgent: string }): void {
    if (this.pages.newest.hello?.url === about.url) return;
    const hello = helloOf(this.id, about);
    const text = JSON.stringify(hello);
    this.pages.newest.update(hello, text);
    this.record("hello", hello.timestamp, text);
    this.agents.forward(text);
  }

  /** Whether the page with this `instanceId` and origin is connected. */
  hasInstance(instanceId: string, origin: string | undefined): boolean {
    return this.pages.has(instanceId, origin);
  }

  /** A valid command from an agent. Every one of them is answered, by the app or by the hub. */
  fromAgent(agent: AgentPeer, command: Command, text: string): Promise<void> {
    return this.dispatcher.run({ command, text }, agent.id, (answer) => agent.send(answer.text));
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

  summary(now = steadyNow()): SessionSummary {
    const { id, kind, active, timeline, dispatcher } = this;
    const { owner } = this.ownership;
    return summaryOf(
      {
        ...{ id, kind, active, access: this.access, timeline, dispatcher },
        hello: this.pages.newest.hello,
        origin: owner?.kind === "origin" ? owner.origin : undefined,
        connected: this.isConnected,
        apps: this.pages.apps.size,
        agents: this.agents.size,
      },
      now,
    );
  }

  private get isConnected(): boolean {
    return this.pages.apps.size > 0 || this.port !== undefined;
  }

  close(reason: string): void {
    for (const peer of [...this.pages.apps, ...this.agents]) peer.close(1001, reason);
  }

  /** Appends a record to the timeline. */
  record(type: string, at: number, json: string, causedBy?: number): Entry {
    return this.append(type, at, asOneLine(json), causedBy);
  }

  /** The same for JSON that is one line already. `source`: the members that show where it is from. */
  private append(type: string, at: number, json: string, causedBy?: number, source?: string): Entry {
    this.edits.onRecord(type, json);
    return this.held.append(type, at, json, causedBy, source);
  }

  private publish(entry: Entry): void {
    this.agents.sendRecord(entry);
    for (const listener of this.listeners) listener(entry);
    this.host.onEntry(this, entry);
  }

  /** Sends the state that is still valid, and requests a new tree when the kept one is not. */
  private bringUpToDate(agent: AgentPeer): void {
    const pages = this.pages.states();
    for (const page of pages) for (const text of page.messages()) agent.send(text);
    if (this.pages.apps.size > 0 && pages.some((page) => page.lacksTree)) {
      void this.command({ type: "request_ui_tree", instanceId: "all" }, HUB).catch(() => {});
    }
  }

  private welcome(app: AppPeer, instanceId: string): void {
    app.sendMessage({
      ...fromHub(this.id),
      type: "welcome",
      serverVersion: this.host.version,
      instanceId,
      lastSeq: this.pages.lastSeq(instanceId),
      agents: this.agents.size,
      deltas: this.agents.deltasUnderstood,
    });
  }

  private afterHello(): void {
    this.sendStatus();
    this.host.onPeersChanged(this);
  }

  private sendAgentCount(): void {
    const deltas = this.agents.deltasUnderstood;
    for (const app of this.pages.apps) {
      if (app.instanceId !== undefined)
        app.sendMessage({ ...fromHub(this.id), type: "agents_changed", agents: this.agents.size, deltas });
    }
  }

  private sendStatus(): void {
    this.agents.sendMessage(this.status());
  }

  private status(): HubMessage {
    const status = this.isConnected ? ("connected" as const) : ("disconnected" as const);
    return { ...fromHub(this.id), type: "session_status", status, apps: this.pages.apps.size };
  }
}
