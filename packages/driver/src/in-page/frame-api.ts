import {
  beginReceipt,
  elementAt,
  findElement,
  type PageEngine,
  parentAcross,
  StateStore,
  toTabPoint,
  type WatchedAction,
} from "@debug-bridge/page";
import { BridgeError, type Target } from "@debug-bridge/protocol";
import type { InPageApi, OwnerApi } from "../engine/link-messages.js";

type FrameApi = OwnerApi & Pick<InPageApi, "setFrame" | "locate" | "watch" | "changes">;

/** The part of the engine's interface by which engines of several frames act as one. */
export function frameApi({ view, activity }: PageEngine): FrameApi {
  const context = { view, activity, state: new StateStore(view.masker, undefined), caughtUp: undefined };
  let watched: WatchedAction | undefined;
  return {
    setFrame(name) {
      view.refs.prefix = name;
    },
    adopt(owner, name) {
      if (!view.isAttached(owner)) return false;
      view.frameNames.set(owner, name);
      return true;
    },
    pathTo: (owner) => JSON.stringify(pathTo(owner)),
    place: (owner, x, y) => JSON.stringify(place(view, owner, x, y)),
    locate(target) {
      try {
        findElement(view, JSON.parse(target) as Target);
        return "found";
      } catch (thrown) {
        return BridgeError.from(thrown).code;
      }
    },
    watch() {
      watched?.cancel();
      watched = beginReceipt(context);
    },
    async changes() {
      const receipt = await watched?.finish(false, new AbortController().signal);
      watched = undefined;
      return JSON.stringify(receipt ?? {});
    },
  };
}

/** Which child it is at each level, from the top of the page down. */
function pathTo(element: Element): number[] {
  const path: number[] = [];
  for (let at: Element | null = element; at; at = parentAcross(at))
    path.unshift(Array.prototype.indexOf.call(at.parentNode?.children ?? [], at));
  return path;
}

function place(view: PageEngine["view"], owner: Element, x: number, y: number): object {
  const where = (): { x: number; y: number } => {
    const { left, top } = owner.getBoundingClientRect();
    const { paddingLeft, paddingTop } = getComputedStyle(owner);
    return {
      x: left + owner.clientLeft + Number.parseFloat(paddingLeft) + x,
      y: top + owner.clientTop + Number.parseFloat(paddingTop) + y,
    };
  };
  const page = owner.ownerDocument;
  const isHit = (): boolean => elementAt(page, where(), view.isOurs)?.element === owner;
  if (!isHit()) owner.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  if (isHit()) return toTabPoint(owner, where());
  return { error: "something in the page around its frame covers it, or the frame is out of view" };
}
