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
} from "@debug-bridge/protocol";
import { type Entry, gapJson, isoTime, recordJson, Timeline } from "../timeline/timeline.js";
import { type AgentPort, controlAgent } from "./agent-control.js";
import { AgentPeer, type AgentPeerOptions } from "./agent-peer.js";
import { AppPeer, type RawResult } from "./app-peer.js";
import { type Answer, CommandDesk, HUB } from "./command-desk.js";
import { ConsoleLines } from "./console-lines.js";
import { fromHub } from "./hub-results.js";
import { Instances } from "./instances.js";
import type { Link } from "./link.js";
import { Retained } from "./retained.js";

export interface SessionHost {
  readonly readOnly: boolean;
  readonly version: string;
  /** Told of every event, for recording and for readers of all sessions. */
  onEntry(session: Session, entry: Entry): void;
  onAct(session: Session, who: string, command: Command, outcome: string): void;
  onPeersChanged(session: Session): void;
}

type Listener = (entry: Entry) => void;

/** One thing that can be debugged: its apps, its agents, its timeline, and the ways between them. */
export class Session {
  readonly timeline: Timeline;
  private readonly desk: CommandDesk;
  private readonly apps = new Set<AppPeer>();
  private readonly agents = new Set<AgentPeer>();
  /** Of the page that said hello last; what a session shows when nobody is connected. */
  private newest = new Retained();
  private readonly instances = new Instances();
  private readonly listeners = new Set<Listener>();
  private readonly consoleLines = new ConsoleLines();
  private port: AgentPort | undefined;
  private followed = false;

  constructor(
    readonly id: string,
    private readonly host: SessionHost,
  ) {
    this.timeline = new Timeline(id);
    this.desk = new CommandDesk({
      sessionId: id,
      readOnly: host.readOnly,
      apps: this.apps,
      record: (type, json) => this.record(type, Date.now(), json),
      onAct: (who, command, outcome) => host.onAct(this, who, command, outcome),
    });
  }

  get isEmpty(): boolean {
    return !this.port && this.apps.size === 0 && this.agents.size === 0 && this.listeners.size === 0;
  }

  /** Whether it is an agent that writes its own files; nothing of it needs to be recorded again. */
  get isFollowed(): boolean {
    return this.followed;
  }

  /** An agent's files are followed from now on. */
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
    this.newest.note(message, JSON.stringify(message));
    this.afterHello();
  }

  /** The agent is over. */
  detachAgent(): void {
    this.port = undefined;
    this.sayStatus();
    this.host.onPeersChanged(this);
  }

  /** An event that an agent wrote. */
  fromFile(type: string, at: number, json: string): void {
    const entry = this.record(type, at, json);
    if (this.agents.size === 0) return;
    const text = recordJson(this.id, entry);
    for (const agent of this.agents) agent.forward(text);
  }

  /** A command for an agent, as any client sends it; always answered. */
  control(input: unknown, client: string): Promise<HubResult> {
    return controlAgent(input, this.port, {
      sessionId: this.id,
      assertMayAct: () => this.desk.assertMayAct(client),
      onAct: (command, outcome) => this.host.onAct(this, client, command, outcome),
    });
  }

  get appCount(): number {
    return this.apps.size;
  }

  addApp(link: Link): AppPeer {
    const app = new AppPeer(link);
    this.apps.add(app);
    return app;
  }

  /** `goingAway`: its page is being left, most likely for another. */
  removeApp(app: AppPeer, reason: string, goingAway = false): void {
    if (!this.apps.delete(app)) return;
    this.consoleLines.onAppLeft(app.retained.hello?.kind, Date.now());
    if (goingAway) this.desk.arrivals.noteLeft();
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
    this.desk.lease.release(agent.id);
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
    const json = this.recordData(app, message, text);
    if (json === undefined) return;
    this.record(message.type, message.timestamp, json);
    app.retained.note(message, text);
    if (message.type === "command_result" && app.answer({ message, text })) return;
    for (const agent of this.agents) agent.forward(raw);
    if (message.type !== "hello") return;
    this.desk.arrivals.noteArrived();
    this.afterHello();
  }

  /** A console line that the extension saw. */
  fromExtension(line: ExtensionLine): void {
    if (!this.consoleLines.acceptsFromExtension(line)) return;
    this.record(line.type, line.at, JSON.stringify(line.data));
    if (this.agents.size === 0) return;
    const text = JSON.stringify({ sessionId: this.id, timestamp: line.at, origin: "app", ...line.message });
    for (const agent of this.agents) agent.forward(text);
  }

  /** Says what the session is where no app says hello itself. */
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
    this.newest.note(hello, text);
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
    void this.desk.run({ command, text }, agent.id, (answer) => agent.send(answer.text));
  }

  /** A command from inside the process (the HTTP API, the hub itself); resolves with the first app's result. */
  async command(
    input: { type: string; [key: string]: unknown },
    client: string,
  ): Promise<RawResult["message"] | HubResult> {
    const command = { ...input, sessionId: this.id, timestamp: Date.now(), origin: "agent" } as Command;
    const answers: Answer[] = [];
    await this.desk.run({ command, text: JSON.stringify(command) }, client, (answer) => answers.push(answer));
    const [first] = answers;
    if (!first) throw new BridgeError("internal", `${command.type} was not answered`);
    return first.message;
  }

  summary(now = Date.now()): SessionSummary {
    const { hello } = this.newest;
    const newest = this.timeline.newest;
    const lease = this.desk.lease.current(now);
    return {
      id: this.id,
      kind: hello?.kind ?? "app",
      connected: this.apps.size > 0 || this.port !== undefined,
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
    for (const agent of this.agents) agent.note(entry);
    for (const listener of this.listeners) listener(entry);
    this.host.onEntry(this, entry);
    return entry;
  }

  /** The `data` of a message's record; `undefined` for a console line that is recorded already. */
  private recordData(app: AppPeer, message: AppMessage, text: string): string | undefined {
    if (message.type === "hello") this.consoleLines.onHello(message);
    if (!isConsoleMessage(message)) return text;
    const { hello, url } = app.retained;
    const data = this.consoleLines.fromApp(message, { kind: hello?.kind, url });
    return data && JSON.stringify(data);
  }

  /** What was said before and still holds; a tree that does not is asked for anew. */
  private bringUpToDate(agent: AgentPeer): void {
    const pages = this.apps.size > 0 ? [...this.apps].map((app) => app.retained) : [this.newest];
    for (const page of pages) for (const text of page.messages()) agent.send(text);
    if (this.apps.size > 0 && pages.some((page) => page.lacksTree)) {
      void this.command({ type: "request_ui_tree" }, HUB).catch(() => {});
    }
  }

  private replay(agent: AgentPeer, since: number): void {
    const { entries, gap } = this.timeline.readSince(since);
    if (gap) agent.send(gapJson(this.id, (gap.to ?? since) + 1, gap));
    for (const entry of entries) agent.note(entry);
  }

  private greet(app: AppPeer, instanceId: string | undefined): void {
    app.instanceId = instanceId;
    // A page that connects again goes on where it was.
    if (instanceId !== undefined && this.newest.hello?.instanceId === instanceId) app.retained = this.newest;
    this.newest = app.retained;
    if (instanceId === undefined) return;
    for (const other of this.apps) {
      if (other === app || other.instanceId !== instanceId) continue;
      this.apps.delete(other);
      app.retained = other.retained;
      this.newest = app.retained;
      other.lost("the page connected again");
      other.close(1000, "replaced by a newer connection of the same page");
    }
    app.say({
      ...fromHub(this.id),
      type: "welcome",
      serverVersion: this.host.version,
      instanceId,
      lastSeq: this.instances.lastSeq(instanceId, this.connectedInstances()),
      agents: this.agents.size,
      deltas: this.deltasUnderstood(),
    });
  }

  private connectedInstances(): Set<string | undefined> {
    return new Set([...this.apps].map((app) => app.instanceId));
  }

  private afterHello(): void {
    this.sayStatus();
    this.host.onPeersChanged(this);
  }

  private tellAppsOfAgents(): void {
    const deltas = this.deltasUnderstood();
    for (const app of this.apps) {
      if (app.instanceId !== undefined)
        app.say({ ...fromHub(this.id), type: "agents_changed", agents: this.agents.size, deltas });
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
    const isThere = this.apps.size > 0 || this.port !== undefined;
    const status = isThere ? ("connected" as const) : ("disconnected" as const);
    return { ...fromHub(this.id), type: "session_status", status, apps: this.apps.size };
  }
}
