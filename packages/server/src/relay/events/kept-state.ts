import type { RelayCore } from "../relay-core.js";
import { ChromeSession, type Context, type Frame } from "../tabs/tab.js";
import type { Params } from "../wire/messages.js";

type Keep = (relay: RelayCore, chrome: ChromeSession, params: Params, method: string) => boolean;

/** What each event changes in what later sessions receive. False for an event that the clients have already. */
const KEEP: Readonly<Record<string, Keep>> = {
  "Runtime.executionContextCreated": keepContext,
  "Runtime.executionContextDestroyed": (_, chrome, { executionContextId }) => {
    chrome.contexts.delete(Number(executionContextId));
    chrome.worlds.delete(Number(executionContextId));
    return true;
  },
  "Runtime.executionContextsCleared": (_, chrome) => {
    chrome.contexts.clear();
    chrome.worlds.clear();
    chrome.roles.clear();
    chrome.objects.clear();
    return true;
  },
  "Runtime.consoleAPICalled": keepConsole,
  "Runtime.exceptionThrown": keepConsole,
  "Page.frameAttached": (_, chrome, { frameId, parentFrameId }) => {
    const id = String(frameId);
    chrome.frames.set(id, { id, parentId: String(parentFrameId), loaderId: "", url: "" });
    return true;
  },
  "Page.frameNavigated": keepNavigation,
  "Page.frameDetached": (_, chrome, { frameId }) => {
    chrome.dropFrame(String(frameId));
    return true;
  },
  "Page.lifecycleEvent": keepLifecycle,
  "Page.downloadWillBegin": (relay, chrome, params) => {
    relay.downloads.begin(chrome.tab, params);
    return true;
  },
  "Page.downloadProgress": (relay, chrome, params) => {
    relay.downloads.progress(chrome.tab, params);
    return true;
  },
  "Page.windowOpen": (relay, chrome) => {
    relay.registry.windowOpened(chrome.tab);
    return true;
  },
  "Inspector.workerScriptLoaded": (_, chrome) => {
    chrome.workerLoaded = true;
    return true;
  },
  "Target.attachedToTarget": (_, chrome, { sessionId, targetInfo }) => {
    const id = String(sessionId);
    if (chrome.tab.children.has(id)) return false;
    chrome.tab.children.set(id, new ChromeSession(chrome.tab, id, chrome, targetInfo as Params));
    return true;
  },
};

/** Keeps what later sessions need. False for an event that Chrome repeats and that the clients have already. */
export function keepEvent(relay: RelayCore, chrome: ChromeSession, method: string, params: Params): boolean {
  return KEEP[method]?.(relay, chrome, params, method) ?? true;
}

export function keepLifecycle(relay: RelayCore, chrome: ChromeSession, params: Params): boolean {
  const frameId = String(params.frameId);
  let sent = chrome.lifecycle.get(frameId);
  if (!sent || params.name === "init" || sent[0]?.loaderId !== params.loaderId) {
    const isSame = sent?.[0]?.loaderId === params.loaderId;
    if (isSame && relay.seenAgain.has(chrome)) return false;
    sent = [];
    chrome.lifecycle.set(frameId, sent);
  } else if (sent.some(({ name }) => name === params.name)) return !relay.seenAgain.has(chrome);
  sent.push(params);
  return true;
}

function keepContext(relay: RelayCore, chrome: ChromeSession, params: Params): boolean {
  const context = params.context as Context;
  const known = chrome.contexts.has(context.id);
  chrome.contexts.set(context.id, context);
  const again = relay.seenAgain.get(chrome);
  again?.add(context.id);
  return !(known && again);
}

function keepConsole(relay: RelayCore, chrome: ChromeSession, params: Params, method: string): boolean {
  const at = Number(params.timestamp);
  if (relay.seenAgain.has(chrome) && at <= chrome.consoleAt) return false;
  chrome.consoleAt = Math.max(chrome.consoleAt, at);
  const receivers = [...chrome.sessions].filter(
    ({ usesPage, setUp }) => usesPage && setUp.domains.has("Runtime"),
  );
  chrome.objects.share(method, params, receivers);
  return true;
}

function keepNavigation(_: RelayCore, chrome: ChromeSession, params: Params): boolean {
  const frame = params.frame as Frame;
  // A new document has new worlds; one that Chrome kept for "back" has its old ones.
  if (frame.id === chrome.tab.targetId && params.type !== "BackForwardCacheRestore") {
    chrome.tab.taintedWorlds.clear();
    chrome.tab.cleanWorlds.clear();
  }
  for (const { id, parentId } of [...chrome.frames.values()]) if (parentId === frame.id) chrome.dropFrame(id);
  chrome.frames.set(frame.id, frame);
  chrome.lifecycle.delete(frame.id);
  return true;
}
