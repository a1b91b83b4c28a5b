import type { ExtensionTab, TabAccess } from "@debug-bridge/protocol";
import type { ClientSession } from "../clients/client-session.js";
import { ObjectRoles } from "../session/object-roles.js";
import type { Params } from "../wire/messages.js";
import { SharedObjects } from "./shared-objects.js";
import type { LossReason } from "./sharing.js";

/** An execution context as Chrome describes it. */
export interface Context {
  readonly id: number;
  readonly name: string;
  readonly origin?: string;
  readonly uniqueId?: string;
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
 * so what it reported to the first is kept for the next.
 */
export class ChromeSession {
  readonly contexts = new Map<number, Context>();
  /** The real names of isolated worlds by context, as far as clients created them here. */
  readonly worlds = new Map<number, string>();
  readonly frames = new Map<string, Frame>();
  /** Lifecycle events of each frame, as their parameters. */
  readonly lifecycle = new Map<string, Params[]>();
  /** Domains that are enabled in Chrome. */
  readonly enabled = new Set<string>();
  readonly sessions = new Set<ClientSession>();
  readonly objects = new SharedObjects();
  /** What the objects are that clients who may only look hold. */
  readonly roles = new ObjectRoles();
  autoAttached = false;
  lifecycleOn = false;
  /** Whether a worker's script has been loaded, which Chrome reports once. */
  workerLoaded = false;
  /** Sessions that asked it to wait for them and have not resumed it yet. */
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

  /** Clears all that Chrome forgets when the debugger leaves. */
  reset(): void {
    this.contexts.clear();
    this.worlds.clear();
    this.roles.clear();
    this.frames.clear();
    this.lifecycle.clear();
    this.enabled.clear();
    this.waiters.clear();
    this.objects.clear();
    this.autoAttached = false;
    this.lifecycleOn = false;
    this.consoleAt = 0;
  }

  /** Removes a frame and its children. */
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
  /** Whether it is in front. */
  active: boolean;
  /** What the person lets agents do in it. */
  access: TabAccess | undefined;
  /** Why agents lost it, when it still exists. */
  lossReason: LossReason | undefined;
  openerId: string | undefined;
  attachment: Attachment = "none";
  readonly main: ChromeSession;
  /** Frames and workers, by Chrome's session id. */
  readonly children = new Map<string, ChromeSession>();
  /** Names of isolated worlds in which code of a client's own ran: see place-read.ts. */
  readonly taintedWorlds = new Set<string>();
  /** Those in which only code of Playwright or Puppeteer ran. */
  readonly cleanWorlds = new Set<string>();
  /** Downloads in progress, by guid. */
  readonly downloads = new Map<string, Download>();
  /** Counts navigations that the browser reports, for synthetic loader ids. */
  navigations = 0;
  /** Called when the debugger is attached. */
  waitingForAttach: ((error?: { code: number; message: string }) => void)[] = [];
  /** The client names that were reported to the person last. */
  usage = "";

  constructor({ tabId, targetId, url, title, status, active, access }: ExtensionTab) {
    this.tabId = tabId;
    this.targetId = targetId ?? `chrome-tab-${tabId}`;
    this.url = url;
    this.title = title;
    this.status = status ?? "complete";
    this.active = active === true;
    this.access = access;
    this.main = new ChromeSession(this, undefined, undefined, {});
  }

  session(child: string | undefined): ChromeSession | undefined {
    return child === undefined ? this.main : this.children.get(child);
  }

  get loaderId(): string {
    return `debug-bridge-${this.tabId}-${this.navigations}`;
  }
}
