import { setTimeout as sleep } from "node:timers/promises";
import type { Point } from "@debug-bridge/page";
import { BridgeError, type Target } from "@debug-bridge/protocol";
import { ChangeNotifier } from "../change-notifier.js";
import { WORLD } from "../engine/engine-link.js";
import type { LiveDocument } from "../navigation/documents.js";
import type { ForeignFrame, FrameHost, FrameOwner } from "./foreign-frame.js";

/** Frames that come and go, such as those of advertisements, must not fill the memory. */
const MAX_FRAMES = 100;
const SETTLE_DELAY_MS = 30;
const MAX_ATTEMPTS = 20;

interface ContextCreated {
  readonly context: {
    readonly id: number;
    readonly name?: string;
    readonly auxData?: { readonly frameId?: string };
  };
}

/** The frames of a page that need a separate engine, since the page around them cannot enter them. */
export class Frames {
  readonly changed = new ChangeNotifier();
  private readonly frames = new Map<string, ForeignFrame>();
  /** A frame keeps its name from one document to the next. */
  private readonly names = new Map<string, string>();

  constructor(private readonly mainDocument: () => LiveDocument | undefined) {}

  get all(): ForeignFrame[] {
    return [...this.frames.values()];
  }

  /** Follows the frames of a session. Call it before its domains are enabled. */
  follow(host: FrameHost): void {
    const { cdp, frameIds, engine } = host;
    const gone = (contextId: number): void => {
      frameIds.delete(contextId);
      const frame = this.inContext(host, contextId);
      if (!frame) return;
      this.frames.delete(frame.id);
      engine.abandon(contextId);
      this.changed.notify();
    };
    cdp.on("Runtime.executionContextCreated", ({ context }: ContextCreated) => {
      const frameId = context.auxData?.frameId;
      if (context.name === WORLD && frameId !== undefined) frameIds.set(context.id, frameId);
    });
    cdp.on("Runtime.executionContextDestroyed", (event: { executionContextId: number }) =>
      gone(event.executionContextId),
    );
    cdp.on("Runtime.executionContextsCleared", () => {
      for (const contextId of [...frameIds.keys()]) gone(contextId);
    });
  }

  /** A session is gone, and its frames with it. */
  leave(host: FrameHost): void {
    for (const contextId of [...host.frameIds.keys()]) {
      const frame = this.inContext(host, contextId);
      if (frame) this.frames.delete(frame.id);
      host.engine.abandon(contextId);
    }
    host.frameIds.clear();
    this.changed.notify();
  }

  /** The engine runs in a document of a frame. */
  arrived(host: FrameHost, contextId: number, url: string): void {
    const id = host.frameIds.get(contextId);
    if (id === undefined || (this.frames.size >= MAX_FRAMES && !this.frames.has(id))) return;
    const name = this.names.get(id) ?? `f${this.names.size + 1}`;
    this.names.set(id, name);
    const document: LiveDocument = { contextId, url, loaded: false };
    const named = host.engine.call(document, "setFrame", name);
    const frame: ForeignFrame = {
      ...{ id, name, host, document },
      owner: named.then(() => this.findOwner(host, id, name)).catch(() => undefined),
    };
    this.frames.set(id, frame);
    this.changed.notify();
  }

  inContext(host: FrameHost, contextId: number): ForeignFrame | undefined {
    return this.all.find((frame) => frame.host === host && frame.document.contextId === contextId);
  }

  byName(name: string): ForeignFrame | undefined {
    return this.all.find((frame) => frame.name === name);
  }

  /** The frame that a target names by its ref; `undefined` for the page itself. */
  ofRef({ ref }: Target): ForeignFrame | undefined {
    const name = /^f\d+/.exec(ref ?? "")?.[0];
    if (name === undefined) return undefined;
    const frame = this.byName(name);
    if (frame) return frame;
    throw new BridgeError(
      "stale_ref",
      `${ref} is in the frame ${name}, which is no longer in the page; call observe again to get new refs`,
      { candidates: [] },
    );
  }

  /** A point of a frame's viewport, in the viewport of the tab, once nothing around it scrolls. */
  async toTab(frame: ForeignFrame, point: Point): Promise<Point> {
    let last = await this.placeOf(frame, point);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      // Frames in other processes scroll, and are known to the mouse, a moment later.
      await sleep(SETTLE_DELAY_MS);
      const now = await this.placeOf(frame, point);
      if (now.x === last.x && now.y === last.y) break;
      last = now;
    }
    return last;
  }

  private async placeOf(frame: ForeignFrame, point: Point): Promise<Point> {
    const owner = await frame.owner;
    if (!owner)
      throw new BridgeError("not_actionable", `the position of frame ${frame.name} in the page is unknown`);
    const placed = JSON.parse(
      await owner.host.engine.callWith(owner.objectId, "place", point.x, point.y),
    ) as Point & { error?: string };
    if (placed.error !== undefined)
      throw new BridgeError("not_actionable", `it cannot be used: ${placed.error}. Nothing was done`);
    return owner.frame ? this.placeOf(owner.frame, placed) : placed;
  }

  private async findOwner(host: FrameHost, frameId: string, name: string): Promise<FrameOwner | undefined> {
    const around = host.around?.frameId === frameId ? host.around.host : host;
    const { backendNodeId } = await around.cdp.send<{ backendNodeId: number }>("DOM.getFrameOwner", {
      frameId,
    });
    const main = around.around ? undefined : this.mainDocument();
    const engines = [
      ...(main ? [{ document: main, frame: undefined }] : []),
      ...this.all
        .filter((frame) => frame.host === around && frame.id !== frameId)
        .map((frame) => ({ document: frame.document, frame })),
    ];
    for (const { document, frame } of engines) {
      const { object } = await around.cdp.send<{ object: { objectId?: string } }>("DOM.resolveNode", {
        backendNodeId,
        executionContextId: document.contextId,
      });
      const { objectId } = object;
      if (objectId !== undefined && (await around.engine.callWith(objectId, "adopt", name)))
        return { objectId, host: around, frame };
    }
    return undefined;
  }
}
