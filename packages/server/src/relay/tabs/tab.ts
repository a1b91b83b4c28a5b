import type { ExtensionTab } from "@debug-bridge/protocol";
import type { ClientSession } from "../clients/client-session.js";
import type { Params } from "../wire/messages.js";
import { SharedObjects } from "./shared-objects.js";

/** An execution context as Chrome describes it. */
export interface Context {
  readonly id: number;
  readonly name: string;
  readonly origin?: string;
  readonly auxData?: { readonly isDefault?: boolean; readonly frameId?: string };
}

/** A frame as Chrome describes it. */
export interface Frame {
  readonly id: string;
  readonly parentId?: string;
  readonly loaderId: string;
  readonly url: string;
}

export interface FrameTree {
  readonly frame: Frame;
  readonly childFrames?: readonly FrameTree[];
}

/**
 * One session of Chrome's debugger: a tab's page, or a frame or worker inside it. All clients that look at it share it,
 * so what it told the first of them is kept for the next.
 */
export class ChromeSession {
  readonly contexts = new Map<number, Context>();
  readonly frames = new Map<string, Frame>();
  /** What was reported of each frame's loading, as the parameters of the events. */
  readonly lifecycle = new Map<string, Params[]>();
  /** Domains that are enabled in Chrome. */
  readonly enabled = new Set<string>();
  readonly sessions = new Set<ClientSession>();
  readonly objects = new SharedObjects();
  autoAttached = false;
  lifecycleOn = false;
  /** Whether a worker's script has been loaded, which Chrome says once. */
  workerLoaded = false;
  /** Those who asked for it to wait and have not let it go yet. */
  readonly waiters = new Set<ClientSession>();
  /** Time of the newest console line, by which lines that Chrome reports again are known. */
  consoleAt = 0;

  constructor(
    readonly tab: Tab,
    /** Chrome's id of a frame's or worker's session; none for the page. */
    readonly id: string | undefined,
    readonly parent: ChromeSession | undefined,
    readonly targetInfo: Params,
  ) {}

  /** Forgets all that Chrome forgets when the debugger leaves. */
  reset(): void {
    this.contexts.clear();
    this.frames.clear();
    this.lifecycle.clear();
    this.enabled.clear();
    this.waiters.clear();
    this.objects.clear();
    this.autoAttached = false;
    this.lifecycleOn = false;
    this.consoleAt = 0;
  }

  /** Removes a frame with those inside it. */
  dropFrame(frameId: string): void {
    this.frames.delete(frameId);
    this.lifecycle.delete(frameId);
    for (const { id, parentId } of [...this.frames.values()]) if (parentId === frameId) this.dropFrame(id);
  }
}

export interface Download {
  readonly url: string;
  readonly since: number;
  readonly fileName: string;
}

export type Attachment = "none" | "attaching" | "attached";

/** A tab of the browser, as the relay knows it. */
export class Tab {
  readonly tabId: number;
  readonly targetId: string;
  url: string;
  title: string;
  status: "loading" | "complete";
  openerId: string | undefined;
  attachment: Attachment = "none";
  readonly main: ChromeSession;
  /** Frames and workers, by Chrome's session id. */
  readonly children = new Map<string, ChromeSession>();
  /** Downloads under way, by guid. */
  readonly downloads = new Map<string, Download>();
  /** Counts navigations seen from outside, for loader ids of our own. */
  navigations = 0;
  /** What waits for the debugger. */
  waitingForAttach: ((error?: { code: number; message: string }) => void)[] = [];
  /** The names that the person was last told. */
  usage = "";

  constructor({ tabId, targetId, url, title, status }: ExtensionTab) {
    this.tabId = tabId;
    this.targetId = targetId ?? `chrome-tab-${tabId}`;
    this.url = url;
    this.title = title;
    this.status = status ?? "complete";
    this.main = new ChromeSession(this, undefined, undefined, {});
  }

  session(child: string | undefined): ChromeSession | undefined {
    return child === undefined ? this.main : this.children.get(child);
  }

  get loaderId(): string {
    return `debug-bridge-${this.tabId}-${this.navigations}`;
  }
}
