import type { ClientSession } from "../clients/client-session.js";
import type { RelayCore } from "../relay-core.js";
import { ChromeSession, type Context, type Frame, type Tab } from "../tabs/tab.js";
import type { Params } from "../wire/messages.js";
import type { ChromeEvent } from "./chrome-event.js";
import { deliverEvent } from "./deliver-event.js";
import { matchesWildcard } from "./wildcard.js";

/** Events that the relay has to parse; all others pass unparsed. */
const UNDERSTOOD =
  /^(Target\.|Runtime\.(executionContext|bindingCalled|consoleAPICalled|exceptionThrown)|Page\.(frame(Attached|Navigated|Detached)|lifecycleEvent|javascriptDialog|download|fileChooserOpened|windowOpen)|Inspector\.workerScriptLoaded|Fetch\.)/;

/** Handles one event of Chrome's debugger: keeps what later sessions need, and delivers it. */
export function onChromeEvent(
  relay: RelayCore,
  tab: Tab,
  child: string | undefined,
  method: string,
  text: string,
): void {
  const chrome = tab.session(child);
  if (!chrome) return;
  if (!UNDERSTOOD.test(method)) {
    const event = { method, text, params: undefined };
    for (const session of chrome.sessions) deliver(relay, session, event);
    return;
  }
  const params = JSON.parse(text) as Params;
  const event = { method, text, params };
  if (!keep(relay, chrome, method, params)) return;
  if (method === "Page.javascriptDialogOpening" || method.startsWith("Fetch.")) {
    const owner = ownerOf(chrome, method, params);
    if (owner) deliver(relay, owner, event);
    return;
  }
  for (const session of [...chrome.sessions]) deliver(relay, session, event);
  if (method === "Page.frameNavigated" && params.type === "BackForwardCacheRestore") {
    // The document has loaded long ago, and Chrome does not report that again; clients wait for it.
    const { id: frameId, loaderId } = params.frame as Frame;
    for (const name of ["commit", "DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle"]) {
      const sent = { frameId, loaderId, name, timestamp: performance.now() / 1_000 };
      keepLifecycle(relay, chrome, sent);
      const loaded = { method: "Page.lifecycleEvent", text: JSON.stringify(sent), params: sent };
      for (const session of [...chrome.sessions]) deliver(relay, session, loaded);
    }
  }
  if (method === "Target.attachedToTarget")
    relay.sessions.releaseUnclaimed(tab.children.get(String(params.sessionId)));
  if (method === "Target.detachedFromTarget") relay.sessions.dropChild(tab, String(params.sessionId));
}

function deliver(relay: RelayCore, session: ClientSession, event: ChromeEvent): void {
  if (session.isAttached) deliverEvent(relay, session, event);
  else session.hold(event);
}

/** Keeps what later sessions need. False for an event that Chrome repeats and that the clients have already. */
function keep(relay: RelayCore, chrome: ChromeSession, method: string, params: Params): boolean {
  switch (method) {
    case "Runtime.executionContextCreated": {
      const context = params.context as Context;
      const known = chrome.contexts.has(context.id);
      chrome.contexts.set(context.id, context);
      const again = relay.seenAgain.get(chrome);
      again?.add(context.id);
      return !(known && again);
    }
    case "Runtime.executionContextDestroyed":
      chrome.contexts.delete(Number(params.executionContextId));
      chrome.worlds.delete(Number(params.executionContextId));
      return true;
    case "Runtime.executionContextsCleared":
      chrome.contexts.clear();
      chrome.worlds.clear();
      chrome.roles.clear();
      chrome.objects.clear();
      return true;
    case "Runtime.consoleAPICalled":
    case "Runtime.exceptionThrown": {
      const at = Number(params.timestamp);
      if (relay.seenAgain.has(chrome) && at <= chrome.consoleAt) return false;
      chrome.consoleAt = Math.max(chrome.consoleAt, at);
      const receivers = [...chrome.sessions].filter(
        ({ usesPage, setUp }) => usesPage && setUp.domains.has("Runtime"),
      );
      chrome.objects.share(method, params, receivers);
      return true;
    }
    case "Page.frameAttached":
      chrome.frames.set(String(params.frameId), {
        id: String(params.frameId),
        parentId: String(params.parentFrameId),
        loaderId: "",
        url: "",
      });
      return true;
    case "Page.frameNavigated": {
      const frame = params.frame as Frame;
      // A new document has new worlds; one that Chrome kept for "back" has its old ones.
      if (frame.id === chrome.tab.targetId && params.type !== "BackForwardCacheRestore") {
        chrome.tab.taintedWorlds.clear();
        chrome.tab.cleanWorlds.clear();
      }
      for (const { id, parentId } of [...chrome.frames.values()])
        if (parentId === frame.id) chrome.dropFrame(id);
      chrome.frames.set(frame.id, frame);
      chrome.lifecycle.delete(frame.id);
      return true;
    }
    case "Page.frameDetached":
      chrome.dropFrame(String(params.frameId));
      return true;
    case "Page.lifecycleEvent":
      return keepLifecycle(relay, chrome, params);
    case "Page.downloadWillBegin":
      relay.downloads.begin(chrome.tab, params);
      return true;
    case "Page.downloadProgress":
      relay.downloads.progress(chrome.tab, params);
      return true;
    case "Page.windowOpen":
      relay.registry.windowOpened(chrome.tab);
      return true;
    case "Inspector.workerScriptLoaded":
      chrome.workerLoaded = true;
      return true;
    case "Target.attachedToTarget": {
      const id = String(params.sessionId);
      if (chrome.tab.children.has(id)) return false;
      chrome.tab.children.set(id, new ChromeSession(chrome.tab, id, chrome, params.targetInfo as Params));
      return true;
    }
  }
  return true;
}

function keepLifecycle(relay: RelayCore, chrome: ChromeSession, params: Params): boolean {
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

/** Dialogs and paused requests have one owner: two clients that both answer would answer for each other. */
function ownerOf(chrome: ChromeSession, method: string, params: Params): ClientSession | undefined {
  const domain = method.startsWith("Fetch.") ? "Fetch" : "Page";
  const able = [...chrome.sessions].filter(
    (session) => session.usesPage && session.setUp.domains.has(domain),
  );
  if (domain === "Fetch") {
    const wants = able.filter((session) => patternsMatch(session, params));
    return (wants.length > 0 ? wants : able).at(-1);
  }
  const acting = able.filter(({ client }) => !client.follows);
  return (acting.length > 0 ? acting : able).sort((a, b) => b.lastActive - a.lastActive)[0];
}

function patternsMatch(session: ClientSession, params: Params): boolean {
  const patterns = session.setUp.get("Fetch.enable")?.params.patterns;
  if (!Array.isArray(patterns) || patterns.length === 0) return true;
  const url = String((params.request as Params | undefined)?.url ?? "");
  return patterns.some(({ urlPattern = "*" }: { urlPattern?: string }) => matchesWildcard(urlPattern, url));
}
