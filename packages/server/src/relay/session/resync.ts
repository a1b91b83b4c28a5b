import { chromeEvent } from "../events/chrome-event.js";
import { deliverEvent } from "../events/deliver-event.js";
import type { RelayCore } from "../relay-core.js";
import type { ChromeSession, FrameTree, Tab } from "../tabs/tab.js";
import { flatten } from "./attach-session.js";
import { withRealWorld } from "./world-names.js";

/**
 * The extension's worker was stopped and is back. Its tabs stayed attached, but events in between may be lost. When a
 * context is gone or a frame has navigated, everything is requested again, and clients get the differences.
 */
export function resync(relay: RelayCore, tab: Tab, done: () => void): void {
  const sessions = [tab.main, ...tab.children.values()].filter(({ enabled }) => enabled.has("Runtime"));
  const stale = new Set<ChromeSession>();
  let tree: FrameTree | undefined;
  const countDown = counter(() => {
    if (tree && hasNavigated(tab, tree)) stale.add(tab.main);
    const finish = counter(done);
    for (const chrome of stale) {
      finish.add();
      requestContexts(relay, chrome, finish.one);
    }
    if (tree && stale.has(tab.main)) {
      emitFrameChanges(relay, tab, tree);
      if (tab.main.lifecycleOn) {
        finish.add();
        relay.commandFirst(tab.main, "Page.setLifecycleEventsEnabled", '{"enabled":true}', finish.one);
      }
    }
    finish.one();
  });
  for (const chrome of sessions) {
    if (chrome.contexts.size === 0) stale.add(chrome);
    for (const contextId of chrome.contexts.keys()) {
      countDown.add();
      const params = JSON.stringify({ expression: "0", contextId, returnByValue: true });
      relay.commandFirst(
        chrome,
        "Runtime.evaluate",
        params,
        (outcome) => {
          if (!outcome.ok) stale.add(chrome);
          countDown.one();
        },
        true,
      );
    }
  }
  countDown.add();
  relay.commandFirst(tab.main, "Page.getFrameTree", "{}", (outcome) => {
    if (outcome.ok) tree = (JSON.parse(outcome.body) as { frameTree: FrameTree }).frameTree;
    countDown.one();
  });
  countDown.one();
}

/** Calls back when `one` was called once more than `add`. */
function counter(done: () => void): { add(): void; one(): void } {
  let open = 1;
  return {
    add: () => void open++,
    one: () => {
      if (--open === 0) done();
    },
  };
}

function hasNavigated(tab: Tab, tree: FrameTree): boolean {
  return flatten(tree).some(({ id, loaderId }) => tab.main.frames.get(id)?.loaderId !== loaderId);
}

/** Makes Chrome report all contexts again. That removes the bindings, which are added again. */
function requestContexts(relay: RelayCore, chrome: ChromeSession, done: () => void): void {
  const seen = new Set<number>();
  relay.seenAgain.set(chrome, seen);
  relay.commandFirst(chrome, "Runtime.enable", "{}", (outcome) => {
    relay.seenAgain.delete(chrome);
    if (outcome.ok) emitLostContexts(relay, chrome, seen);
    else if (chrome.id !== undefined) relay.sessions.dropChild(chrome.tab, chrome.id);
    done();
  });
  for (const session of chrome.sessions)
    for (const { method, params } of session.setUp.all())
      if (method === "Runtime.addBinding")
        relay.commandFirst(
          chrome,
          method,
          JSON.stringify(withRealWorld(session, method, params) ?? params),
          () => {},
        );
}

function emitLostContexts(relay: RelayCore, chrome: ChromeSession, seen: ReadonlySet<number>): void {
  for (const id of [...chrome.contexts.keys()]) {
    if (seen.has(id)) continue;
    chrome.contexts.delete(id);
    emit(relay, chrome, "Runtime.executionContextDestroyed", { executionContextId: id });
  }
}

function emitFrameChanges(relay: RelayCore, tab: Tab, tree: FrameTree): void {
  const chrome = tab.main;
  const now = new Map(flatten(tree).map((frame) => [frame.id, frame]));
  for (const { id } of [...chrome.frames.values()]) {
    if (now.has(id) || !chrome.frames.has(id)) continue;
    const isChild = [...tab.children.values()].some(({ targetInfo }) => targetInfo.targetId === id);
    if (isChild) continue;
    chrome.dropFrame(id);
    emit(relay, chrome, "Page.frameDetached", { frameId: id, reason: "remove" });
  }
  for (const frame of now.values()) {
    const known = chrome.frames.get(frame.id);
    chrome.frames.set(frame.id, frame);
    if (!known && frame.parentId !== undefined)
      emit(relay, chrome, "Page.frameAttached", { frameId: frame.id, parentFrameId: frame.parentId });
    if (known?.loaderId !== frame.loaderId)
      emit(relay, chrome, "Page.frameNavigated", { frame, type: "Navigation" });
  }
}

function emit(relay: RelayCore, chrome: ChromeSession, method: string, params: object): void {
  const event = chromeEvent(method, params);
  for (const session of [...chrome.sessions]) if (session.isAttached) deliverEvent(relay, session, event);
}
