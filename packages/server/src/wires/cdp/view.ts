import type { Client } from "./client.js";
import { OwnContexts } from "./contexts.js";
import type { CdpFailure, CdpMessage, Params } from "./messages.js";
import { SetUp } from "./set-up.js";
import type { ChromeSession, Tab } from "./tab.js";
import type { TargetFilter } from "./targets.js";

/**
 * `browser`: the connection itself, or a further session on the browser; `tab`: the target around a page; `page`; and
 * `child`: a frame or worker inside a page.
 */
export type ViewKind = "browser" | "tab" | "page" | "child";

/**
 * `lazy`: no command has needed the page yet, all answers are ours; `going`: it is being connected with Chrome's
 * session; `live`: commands and events pass.
 */
export type ViewState = "lazy" | "going" | "live";

/** An event of Chrome; its parameters are parsed only where somebody has to look into them. */
export interface ChromeEvent {
  readonly method: string;
  readonly text: string;
  readonly params: Params | undefined;
}

/** One session of one client: its own id, its own ids of contexts and scripts, its own idea of what is enabled. */
export class View {
  state: ViewState = "lazy";
  autoAttach: TargetFilter | undefined;
  discover: TargetFilter | undefined;
  /** What was asked for with `Browser.setDownloadBehavior`. */
  downloads: Params | undefined;
  readonly domains = new Set<string>();
  readonly setUp = new SetUp();
  /** Names of isolated worlds that every frame is to have. */
  readonly worlds = new Set<string>();
  /** The client's names of worlds and Chrome's (see worlds.ts). */
  readonly worldNames = new Map<string, string>();
  readonly contexts = new OwnContexts();
  /** The client's id of a script and Chrome's. */
  readonly scripts = new Map<string, string>();
  readonly bindings = new Set<string>();
  lifecycle = false;
  /** What the client was told of the main frame's loading by us and not by Chrome. */
  readonly toldLifecycle = new Set<string>();
  /** The address that the client believes the main frame to be at. */
  toldUrl = "";
  readonly children = new Set<View>();
  /** Commands that wait until the view is live. */
  queue: CdpMessage[] = [];
  /** Events that wait until the view is live. */
  held: ChromeEvent[] = [];
  /** Frame trees that were asked for and not yet answered; what is told from memory waits for them. */
  treesPending = 0;
  afterTrees: (() => void)[] = [];
  /** Made because the client attaches to all targets, not because it asked for this one. */
  isAutomatic = false;
  /** It has left, or its target has: nothing is to be said to it any more. */
  gone = false;
  /** When it last sent a command, as a count over all views. */
  lastActive = 0;

  constructor(
    readonly kind: ViewKind,
    readonly id: string,
    readonly client: Client,
    readonly parent: View | undefined,
    readonly tab: Tab | undefined,
    readonly chrome: ChromeSession | undefined,
  ) {
    parent?.children.add(this);
    if (kind !== "page") this.state = "live";
  }

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
    if (this.gone) return;
    this.client.send(`{"id":${id},"result":${result}${this.suffix}}`);
  }

  fail(id: number, error: CdpFailure): void {
    if (this.gone) return;
    this.client.send(`{"id":${id},"error":${JSON.stringify(error)}${this.suffix}}`);
  }

  private get suffix(): string {
    return this.id === "" ? "" : `,"sessionId":"${this.id}"`;
  }

  /** Runs now, or after the frame trees that the client still waits for: it drops contexts of frames it does not know. */
  whenTreeKnown(run: () => void): void {
    if (this.treesPending > 0) this.afterTrees.push(run);
    else run();
  }
}
