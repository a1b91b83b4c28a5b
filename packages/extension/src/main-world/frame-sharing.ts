import { NativeWeakMap, putAt, weakSet } from "@debug-bridge/page/inert";
import type { Channel } from "./channel.js";

/** What the documents of one origin in a tab share. */
interface Shared {
  /** What `Function.prototype.toString` returns for each of our functions. */
  sources: WeakMap<object, string>;
  /** The target of each proxy. */
  targets: WeakMap<object, object>;
}

/**
 * Frames reach into each other: a page could ask with the `toString` of a frame what `console.log` looks like, or log a
 * proxy that a frame made. So a frame uses the maps of the document around it, which hands them over through its bus.
 */
export const shared: Shared = { sources: new NativeWeakMap(), targets: new NativeWeakMap() };

/** Our functions, to be added to the maps of the parent as well. There are only a few. */
const standIns: { readonly standIn: object; readonly source: string }[] = [];

export function shareStandIn(standIn: object, source: string): void {
  putAt(standIns, standIns.length, { standIn, source });
  weakSet(shared.sources, standIn, source);
}

/** Shares the maps with the frames inside, and uses those of the document around. */
export function shareWithFrames(channel: Channel): void {
  channel.onShare = (asked) => {
    asked.sources = shared.sources;
    asked.targets = shared.targets;
  };
  channel.onParent = (ask) => {
    const { sources, targets } = ask();
    if (!sources || !targets) return;
    shared.sources = sources as Shared["sources"];
    shared.targets = targets as Shared["targets"];
    for (let i = 0; i < standIns.length; i++) {
      const known = standIns[i];
      if (known) weakSet(shared.sources, known.standIn, known.source);
    }
  };
}
