import type { CdpMessage, Params } from "./messages.js";
import { isPreparing } from "./set-up.js";
import type { Frame } from "./tab.js";
import { passes, readFilter } from "./targets.js";
import type { View } from "./view.js";

const BEGUN = ["init", "commit"] as const;
const COMPLETE = ["DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle"] as const;

/**
 * Answers what can be answered for a page that no debugger is attached to, with the events that an attached page would
 * give: a client sends such commands to every page it hears of. False when the command needs the page.
 */
export function answerLazily(view: View, message: CdpMessage): boolean {
  const { id, method, params } = message;
  switch (method) {
    case "Page.getFrameTree":
      view.toldUrl = addressOf(view);
      view.reply(id, { frameTree: { frame: frameOf(view) } });
      return true;
    case "Page.addScriptToEvaluateOnNewDocument": {
      if (params.runImmediately === true && params.source !== "") return false;
      const scriptId = `debug-bridge-${view.client.newSessionId()}`;
      view.setUp.noteScript(scriptId, params);
      view.reply(id, { identifier: scriptId });
      return true;
    }
    case "Page.removeScriptToEvaluateOnNewDocument":
      view.setUp.forgetScript(String(params.identifier));
      view.reply(id);
      return true;
    case "Page.createIsolatedWorld": {
      const { frameId, worldName } = params;
      if (typeof worldName !== "string" || worldName === "" || frameId !== view.tab?.targetId) return false;
      view.worlds.add(worldName);
      view.reply(id, { executionContextId: tellContext(view, worldName) });
      return true;
    }
    case "Runtime.runIfWaitingForDebugger":
      view.reply(id);
      return true;
    case "Target.setAutoAttach":
      view.autoAttach = params.autoAttach === true ? readFilter(params) : undefined;
      view.setUp.note(method, params);
      view.reply(id);
      return true;
    case "Runtime.addBinding":
      // In a context of ours there is nothing to bind yet; by the name of its world it can be done later.
      if (params.executionContextId !== undefined) return false;
  }
  if (!isPreparing(method)) return false;
  noteSetUp(view, method, params);
  if (method === "Runtime.enable") tellContexts(view);
  if (method === "Page.setLifecycleEventsEnabled" && params.enabled === true) tellLifecycle(view);
  view.reply(id);
  return true;
}

/** Keeps in mind what a command sets up on a view, whether it is live or not. */
export function noteSetUp(view: View, method: string, params: Params): void {
  const [domain = "", verb] = method.split(".");
  if (verb === "enable") view.domains.add(domain);
  if (verb === "disable") view.domains.delete(domain);
  if (method === "Page.setLifecycleEventsEnabled") view.lifecycle = params.enabled === true;
  if (method === "Runtime.addBinding") view.bindings.add(String(params.name));
  if (method === "Runtime.removeBinding") view.bindings.delete(String(params.name));
  view.setUp.note(method, params);
}

/** Tells a client that knows the page only through us that it went elsewhere. */
export function tellNavigation(view: View): void {
  if (view.domains.has("Runtime")) view.emit("Runtime.executionContextsCleared", {});
  view.contexts.clear();
  view.toldLifecycle.clear();
  view.toldUrl = addressOf(view);
  const frameId = view.tab?.targetId;
  if (view.domains.has("Page")) {
    view.emit("Page.frameStartedLoading", { frameId });
    view.emit("Page.frameNavigated", { frame: frameOf(view), type: "Navigation" });
  }
  tellContexts(view);
  if (view.lifecycle) tellLifecycle(view);
}

/** The debugger has left a page that a client knows: it lives on our answers again, with contexts of ours. */
export function returnToLazy(view: View): void {
  const { tab, chrome } = view;
  if (!tab || !chrome || view.state !== "live") return;
  view.state = "lazy";
  if (view.domains.has("Page")) {
    for (const { id, parentId } of chrome.frames.values())
      if (parentId === tab.targetId) view.emit("Page.frameDetached", { frameId: id, reason: "remove" });
  }
  if (view.domains.has("Runtime")) view.emit("Runtime.executionContextsCleared", {});
  view.contexts.clear();
  view.toldUrl = addressOf(view);
  for (const name of [...BEGUN, ...COMPLETE]) view.toldLifecycle.add(name);
  tellContexts(view);
}

function tellContexts(view: View): void {
  if (!view.domains.has("Runtime")) return;
  tellContext(view, "");
  for (const world of view.worlds) tellContext(view, world);
}

/** Tells it that the page has loaded. */
export function tellLoaded(view: View): void {
  if (view.lifecycle) tellLifecycle(view);
  if (!view.domains.has("Page")) return;
  const timestamp = performance.now() / 1_000;
  view.emit("Page.domContentEventFired", { timestamp });
  view.emit("Page.loadEventFired", { timestamp });
  view.emit("Page.frameStoppedLoading", { frameId: view.tab?.targetId });
}

/** Invents a context of the main frame and tells the client; where it knows one, only its id. */
function tellContext(view: View, world: string): number {
  const { context, isNew } = view.contexts.invent(view.tab?.targetId ?? "", world, addressOf(view));
  if (isNew || world === "") view.emit("Runtime.executionContextCreated", { context });
  return context.id;
}

function tellLifecycle(view: View): void {
  const { tab } = view;
  if (!tab) return;
  const names = tab.status === "complete" ? [...BEGUN, ...COMPLETE] : BEGUN;
  for (const name of names) {
    if (view.toldLifecycle.has(name)) continue;
    view.toldLifecycle.add(name);
    const timestamp = performance.now() / 1_000;
    view.emit("Page.lifecycleEvent", { frameId: tab.targetId, loaderId: tab.loaderId, name, timestamp });
  }
}

/**
 * Where a client is told that the page is. A tab that waits for its first answer is nowhere yet, and Playwright would
 * wait with it, for as long as the server takes.
 */
function addressOf({ tab }: View): string {
  return tab?.url || "about:blank";
}

function frameOf(view: View): Frame {
  const url = addressOf(view);
  const { targetId = "", loaderId = "" } = view.tab ?? {};
  const hash = url.indexOf("#");
  const frame = {
    id: targetId,
    loaderId,
    url: hash === -1 ? url : url.slice(0, hash),
    ...(hash === -1 ? {} : { urlFragment: url.slice(hash) }),
    domainAndRegistry: "",
    securityOrigin: URL.canParse(url) ? new URL(url).origin : "://",
    mimeType: "text/html",
    secureContextType: "Secure",
    crossOriginIsolatedContextType: "NotIsolated",
    gatedAPIFeatures: [],
  };
  return frame;
}

/** Whether a view wants to hear of targets of this type. */
export function wantsTarget(view: View, type: string): boolean {
  return view.autoAttach !== undefined && passes(view.autoAttach, type);
}
