import type { ChromeEvent } from "../events/chrome-event.js";
import { OwnContexts } from "../session/own-contexts.js";
import { SetUp } from "../session/set-up.js";
import type { ChromeSession, Tab } from "../tabs/tab.js";
import type { TargetFilter } from "../targets/target-info.js";
import { busy, type CdpFailure, type CdpMessage, type Params } from "../wire/messages.js";
import type { Client } from "./client.js";
import { PendingTrees } from "./pending-trees.js";
import {
  ATTACHED,
  beginAttach,
  completeAttach,
  detach,
  failAttach,
  LAZY,
  loseDebugger,
  type SessionState,
  type Transition,
} from "./session-state.js";

/**
 * `browser`: the connection itself, or a further session on the browser; `tab`: the target around a page; `page`; and
 * `child`: a frame or worker inside a page.
 */
export type ClientSessionKind = "browser" | "tab" | "page" | "child";

/** What the client wants to know about the browser. */
interface Wants {
  autoAttach?: TargetFilter | undefined;
  discover?: TargetFilter | undefined;
  /** The parameters of `Browser.setDownloadBehavior`. */
  downloads?: Params | undefined;
  /** Whether it has started a screencast, whose frames are for nobody else. */
  screencast?: boolean;
}

/** What the client knows of the main frame from the relay and not from Chrome. */
class PageKnowledge {
  readonly contexts = new OwnContexts();
  readonly sentLifecycle = new Set<string>();
  /** The address that the client believes the main frame to be at. */
  sentUrl = "";
}

/** Reports the end of a command that is in the timeline. */
export type EndCommand = (error?: CdpFailure) => void;

/** One session of one client: its own id, its own ids of contexts and scripts, its own set-up. */
export class ClientSession {
  readonly wants: Wants = {};
  readonly setUp = new SetUp();
  readonly page = new PageKnowledge();
  readonly trees = new PendingTrees();
  readonly children = new Set<ClientSession>();
  /** Created because the client attaches to all targets, not because it asked for this one. */
  isAutomatic = false;
  /** When it last sent a command, as a count over all sessions. */
  lastActive = 0;
  private state: SessionState;
  private readonly tracked = new Map<number, EndCommand>();

  constructor(
    readonly kind: ClientSessionKind,
    readonly id: string,
    readonly client: Client,
    readonly parent: ClientSession | undefined,
    readonly tab: Tab | undefined,
    readonly chrome: ChromeSession | undefined,
  ) {
    parent?.children.add(this);
    this.state = kind === "page" ? LAZY : ATTACHED;
  }

  // --- state

  get isLazy(): boolean {
    return this.state.name === "lazy";
  }

  get isAttaching(): boolean {
    return this.state.name === "attaching";
  }

  get isAttached(): boolean {
    return this.state.name === "attached";
  }

  get isDetached(): boolean {
    return this.state.name === "detached";
  }

  /** Whether it keeps the debugger in the tab. */
  get usesPage(): boolean {
    return this.isAttached || this.isAttaching;
  }

  beginAttach(first: CdpMessage, held: readonly ChromeEvent[]): void {
    this.state = beginAttach(this.state, first, held);
  }

  completeAttach(): Transition {
    return this.apply(completeAttach(this.state));
  }

  failAttach(): Transition {
    return this.apply(failAttach(this.state));
  }

  /** A page that is new to everyone needs no attaching: the debugger is there from its first moment. */
  startAttached(): void {
    if (this.isLazy) this.state = ATTACHED;
  }

  /** False when it was not attached. */
  loseDebugger(): boolean {
    const before = this.state;
    this.state = loseDebugger(before);
    return this.state !== before;
  }

  detach(): void {
    this.state = detach(this.state);
  }

  /** Commands that wait for the page. */
  get queued(): readonly CdpMessage[] {
    return this.state.name === "attaching" ? this.state.queue.messages : [];
  }

  /** Keeps a command until the session is attached. */
  enqueue(message: CdpMessage): void {
    if (this.state.name === "attaching" && !this.state.queue.add(message)) this.fail(message.id, busy());
  }

  /** Keeps an event until the session is attached. */
  hold(event: ChromeEvent): void {
    if (this.state.name === "attaching") this.state.held.push(event);
  }

  private apply(transition: Transition): Transition {
    this.state = transition.state;
    return transition;
  }

  // --- what is sent to the client

  emit(method: string, params: object): void {
    this.emitText(method, JSON.stringify(params));
  }

  emitText(method: string, params: string): void {
    this.client.send(`{"method":"${method}","params":${params}${this.suffix}}`);
  }

  reply(id: number, result: object = {}): void {
    this.replyText(id, JSON.stringify(result));
  }

  replyText(id: number, result: string): void {
    this.answer(id, `{"id":${id},"result":${result}${this.suffix}}`);
  }

  fail(id: number, error: CdpFailure): void {
    this.answer(id, `{"id":${id},"error":${JSON.stringify(error)}${this.suffix}}`, error);
  }

  /** Before the command is recorded as ended: the client waits for the reply, and not for that. */
  private answer(id: number, text: string, error?: CdpFailure): void {
    try {
      if (!this.isDetached) this.client.send(text, true);
    } finally {
      if (this.tracked.size > 0) this.endTracked(id, error);
    }
  }

  /**
   * Refuses to run code. The client gets it as an error that the code threw: Playwright takes any other error for a page
   * that navigated, and tries again.
   */
  refuseCode(id: number, error: CdpFailure): void {
    if (this.tracked.size > 0) this.endTracked(id, error);
    const description = `Error: ${error.message}`;
    const exception = { type: "object", subtype: "error", className: "Error", description };
    const exceptionDetails = { exceptionId: 1, text: "Uncaught", lineNumber: 0, columnNumber: 0, exception };
    this.reply(id, { result: exception, exceptionDetails });
  }

  /** Has `end` called when the command is answered. */
  track(id: number, end: EndCommand): void {
    this.tracked.set(id, end);
  }

  isTracked(id: number): boolean {
    return this.tracked.has(id);
  }

  /** Ends the record of a command that was not run and is sent again. */
  endUnrun(id: number, error: CdpFailure): void {
    this.endTracked(id, error);
  }

  private endTracked(id: number, error?: CdpFailure): void {
    const end = this.tracked.get(id);
    this.tracked.delete(id);
    end?.(error);
  }

  private get suffix(): string {
    return this.id === "" ? "" : `,"sessionId":"${this.id}"`;
  }
}
