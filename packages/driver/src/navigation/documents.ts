import { BridgeError } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import { ChangeNotifier } from "../change-notifier.js";

/** One document of the page's main frame, with the engine in it. */
export interface LiveDocument {
  /** The engine's world. */
  readonly contextId: number;
  readonly url: string;
  /** Its DOM is complete. */
  loaded: boolean;
}

interface ContextCreated {
  readonly context: {
    readonly id: number;
    readonly auxData?: { readonly frameId?: string; readonly isDefault?: boolean };
  };
}

interface Frame {
  readonly id: string;
  readonly parentId?: string;
  readonly url: string;
  readonly urlFragment?: string;
  readonly loaderId?: string;
  /** What could not be loaded, where an error page is shown for it. */
  readonly unreachableUrl?: string;
}

const urlOf = ({ url, urlFragment = "", unreachableUrl }: Frame): string =>
  unreachableUrl ?? url + urlFragment;

interface LifecycleEvent {
  readonly frameId: string;
  readonly loaderId: string;
  readonly name: string;
}

const MAX_LOADERS = 5;

type NavigationKind = "load" | "push" | "hash";

interface DocumentEvents {
  onNavigated(from: string, to: string, kind: NavigationKind): void;
  /** A document is gone; with an error when the whole page is gone. */
  onLeft(document: LiveDocument, error: BridgeError | undefined): void;
}

/** Follows which document the page shows, from one navigation to the next. */
export class Documents {
  current: LiveDocument | undefined;
  url = "about:blank";
  /** How often loading ended, in another document or (downloads, empty responses) in the same one. */
  loadsEnded = 0;
  /** Notified whenever anything above changed. */
  readonly changed = new ChangeNotifier();
  private mainFrameId: string | undefined;
  /** The page's own world in each frame. CDP may report them before it is known which frame is the main one. */
  private readonly ownContexts = new Map<string, number>();
  /** Milestones that each document of the main frame reached, by loader. */
  private readonly lifecycle = new Map<string, Set<string>>();
  private gone: BridgeError | undefined;
  private closed = false;

  constructor(
    private readonly cdp: CdpSession,
    private readonly events: DocumentEvents,
  ) {}

  /** Starts listening. Call it before the domains are enabled. */
  listen(): void {
    this.cdp.on("Runtime.executionContextCreated", ({ context }: ContextCreated) => {
      const { isDefault, frameId } = context.auxData ?? {};
      if (isDefault && frameId !== undefined) this.ownContexts.set(frameId, context.id);
    });
    this.cdp.on(
      "Runtime.executionContextDestroyed",
      ({ executionContextId: id }: { executionContextId: number }) => {
        if (id === this.current?.contextId) this.leave();
        for (const [frame, own] of this.ownContexts) if (own === id) this.ownContexts.delete(frame);
      },
    );
    this.cdp.on("Runtime.executionContextsCleared", () => {
      this.ownContexts.clear();
      this.leave();
    });
    this.cdp.on("Page.frameNavigated", ({ frame }: { frame: Frame }) => {
      if (frame.parentId !== undefined) return;
      this.gone = undefined;
      this.mainFrameId = frame.id;
      if (frame.loaderId !== undefined)
        this.recordMilestone({ frameId: frame.id, loaderId: frame.loaderId, name: "commit" });
      this.moveTo(urlOf(frame), "load");
    });
    this.cdp.on(
      "Page.navigatedWithinDocument",
      ({ frameId, url, navigationType }: { frameId: string; url: string; navigationType?: string }) => {
        if (frameId === this.mainFrameId) this.moveTo(url, navigationType === "fragment" ? "hash" : "push");
      },
    );
    const ended = ({ frameId }: { frameId: string }): void => {
      if (frameId !== this.mainFrameId) return;
      this.loadsEnded++;
      this.changed.notify();
    };
    this.cdp.on("Page.lifecycleEvent", (event: LifecycleEvent) => this.recordMilestone(event));
    this.cdp.on("Page.frameStoppedLoading", ended);
    this.cdp.on("Page.downloadWillBegin", ended);
    this.cdp.on("Inspector.targetCrashed", () =>
      this.end(
        new BridgeError(
          "outcome_unknown",
          "the page crashed: its process ended. What it was doing is lost; navigate to load it again",
        ),
      ),
    );
    this.cdp.onClose((reason) => {
      this.closed = true;
      const doubt = "the request to the page may or may not have been carried out";
      this.end(new BridgeError("outcome_unknown", `${reason}; ${doubt}`));
    });
  }

  /** The page's own world, in the main frame. */
  get mainContextId(): number | undefined {
    return this.mainFrameId === undefined ? undefined : this.ownContexts.get(this.mainFrameId);
  }

  /** Reads where the page is when the driver attaches. */
  async readFrame(): Promise<void> {
    const { frameTree } = await this.cdp.send<{ frameTree: { frame: Frame } }>("Page.getFrameTree");
    // A navigation that came meanwhile knows better.
    if (this.mainFrameId !== undefined) return;
    this.mainFrameId = frameTree.frame.id;
    this.url = urlOf(frameTree.frame);
  }

  /** Whether the document of this loader reached a milestone such as `commit`, `load` or `networkIdle`. */
  hasReached(loaderId: string, milestone: string): boolean {
    return this.lifecycle.get(loaderId)?.has(milestone) === true;
  }

  private recordMilestone({ frameId, loaderId, name }: LifecycleEvent): void {
    if (this.mainFrameId !== undefined && frameId !== this.mainFrameId) return;
    const reached = this.lifecycle.get(loaderId) ?? new Set();
    this.lifecycle.delete(loaderId);
    this.lifecycle.set(loaderId, reached.add(name));
    for (const oldest of this.lifecycle.keys()) {
      if (this.lifecycle.size <= MAX_LOADERS) break;
      this.lifecycle.delete(oldest);
    }
    this.changed.notify();
  }

  /** The page is loaded again after a crash. */
  reloads(): void {
    if (!this.closed) this.gone = undefined;
  }

  /** The engine runs in a new document. */
  arrived(contextId: number, url: string): void {
    this.gone = undefined;
    this.url = url;
    this.current = { contextId, url, loaded: false };
    this.changed.notify();
  }

  domComplete(contextId: number): void {
    if (this.current?.contextId !== contextId) return;
    this.current.loaded = true;
    this.changed.notify();
  }

  /** The document that is shown, as soon as there is one with an engine in it. */
  async ready(timeoutMs: number): Promise<LiveDocument> {
    await this.until(() => this.current !== undefined, timeoutMs);
    if (this.current) return this.current;
    throw new BridgeError(
      "timeout",
      `no document was ready within ${timeoutMs} ms at ${this.url}. The page may still be loading, or show a dialog`,
      { timeoutMs },
    );
  }

  /** Waits for a condition; false on timeout. Throws when the page is gone. */
  async until(holds: () => boolean, timeoutMs: number): Promise<boolean> {
    const ends = performance.now() + timeoutMs;
    for (;;) {
      if (this.gone) throw this.gone;
      if (holds()) return true;
      const left = ends - performance.now();
      if (left <= 0) return false;
      await this.changed.wait(left);
    }
  }

  private moveTo(url: string, kind: NavigationKind): void {
    const from = this.url;
    this.url = url;
    this.events.onNavigated(from, url, kind);
    this.changed.notify();
  }

  private leave(error?: BridgeError): void {
    const left = this.current;
    this.current = undefined;
    if (left) this.events.onLeft(left, error);
    this.changed.notify();
  }

  private end(error: BridgeError): void {
    this.gone = error;
    this.leave(error);
  }
}
