import { flatten } from "./go-live.js";
import type { RelayCore } from "./relay-core.js";
import type { ChromeSession, FrameTree, Tab } from "./tab.js";
import { takeEvent } from "./take-event.js";

/**
 * The extension's worker was stopped and is back; its tabs stayed attached, but what Chrome said in between may be lost.
 * Frames, contexts and loading are asked for again, and the clients hear of the differences only.
 */
export function resync(relay: RelayCore, tab: Tab, done: () => void): void {
  let open = 1;
  const closeOne = (): void => {
    if (--open === 0) done();
  };
  for (const chrome of [tab.main, ...tab.children.values()]) {
    if (!chrome.enabled.has("Runtime")) continue;
    open++;
    const seen = new Set<number>();
    relay.seenAgain.set(chrome, seen);
    relay.commandFirst(chrome, "Runtime.enable", "{}", (outcome) => {
      relay.seenAgain.delete(chrome);
      if (outcome.ok) tellLostContexts(relay, chrome, seen);
      else if (chrome.id !== undefined) relay.views.dropChild(tab, chrome.id);
      closeOne();
    });
  }
  open++;
  relay.commandFirst(tab.main, "Page.getFrameTree", "{}", (outcome) => {
    if (outcome.ok)
      tellFrameChanges(relay, tab, (JSON.parse(outcome.body) as { frameTree: FrameTree }).frameTree);
    closeOne();
  });
  if (tab.main.lifecycleOn) {
    open++;
    relay.commandFirst(tab.main, "Page.setLifecycleEventsEnabled", '{"enabled":true}', closeOne);
  }
  closeOne();
}

function tellLostContexts(relay: RelayCore, chrome: ChromeSession, seen: ReadonlySet<number>): void {
  for (const id of [...chrome.contexts.keys()]) {
    if (seen.has(id)) continue;
    chrome.contexts.delete(id);
    tell(relay, chrome, "Runtime.executionContextDestroyed", { executionContextId: id });
  }
}

function tellFrameChanges(relay: RelayCore, tab: Tab, tree: FrameTree): void {
  const chrome = tab.main;
  const now = new Map(flatten(tree).map((frame) => [frame.id, frame]));
  for (const { id } of [...chrome.frames.values()]) {
    if (now.has(id) || !chrome.frames.has(id)) continue;
    const isChild = [...tab.children.values()].some(({ targetInfo }) => targetInfo.targetId === id);
    if (isChild) continue;
    chrome.dropFrame(id);
    tell(relay, chrome, "Page.frameDetached", { frameId: id, reason: "remove" });
  }
  for (const frame of now.values()) {
    const known = chrome.frames.get(frame.id);
    chrome.frames.set(frame.id, frame);
    if (!known && frame.parentId !== undefined)
      tell(relay, chrome, "Page.frameAttached", { frameId: frame.id, parentFrameId: frame.parentId });
    if (known?.loaderId !== frame.loaderId)
      tell(relay, chrome, "Page.frameNavigated", { frame, type: "Navigation" });
  }
}

function tell(relay: RelayCore, chrome: ChromeSession, method: string, params: object): void {
  const event = { method, text: JSON.stringify(params), params: params as Record<string, unknown> };
  for (const view of [...chrome.views]) if (view.state === "live") takeEvent(relay, view, event);
}
