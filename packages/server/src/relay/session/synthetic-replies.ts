import type { ClientSession } from "../clients/client-session.js";
import type { Frame } from "../tabs/tab.js";
import { passes, readFilter } from "../targets/target-info.js";
import type { CdpMessage } from "../wire/messages.js";
import { isPreparing } from "./set-up.js";

const BEGUN = ["init", "commit"] as const;
const COMPLETE = ["DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle"] as const;

/**
 * Answers commands for a page without a debugger, with the events that an attached page would send: clients send such
 * commands to every page that is announced to them. False when the command needs the page.
 */
export function answerWithoutPage(session: ClientSession, message: CdpMessage): boolean {
  const { id, method, params } = message;
  switch (method) {
    case "Page.getFrameTree":
      session.page.sentUrl = addressOf(session);
      session.reply(id, { frameTree: { frame: frameOf(session) } });
      return true;
    case "Page.addScriptToEvaluateOnNewDocument": {
      if (params.runImmediately === true && params.source !== "") return false;
      const scriptId = `debug-bridge-${session.client.newSessionId()}`;
      session.setUp.recordScript(scriptId, params);
      session.reply(id, { identifier: scriptId });
      return true;
    }
    case "Page.removeScriptToEvaluateOnNewDocument":
      session.setUp.removeScript(String(params.identifier));
      session.reply(id);
      return true;
    case "Page.createIsolatedWorld": {
      const { frameId, worldName } = params;
      if (typeof worldName !== "string" || worldName === "" || frameId !== session.tab?.targetId)
        return false;
      session.setUp.worlds.add(worldName);
      session.reply(id, { executionContextId: emitContext(session, worldName) });
      return true;
    }
    case "Runtime.runIfWaitingForDebugger":
      session.reply(id);
      return true;
    case "Target.setAutoAttach":
      session.wants.autoAttach = params.autoAttach === true ? readFilter(params) : undefined;
      session.setUp.record(method, params);
      session.reply(id);
      return true;
    case "Runtime.addBinding":
      // A synthetic context has nothing to bind yet; by the name of its world it can be done later.
      if (params.executionContextId !== undefined) return false;
  }
  if (!isPreparing(method)) return false;
  session.setUp.record(method, params);
  if (method === "Runtime.enable") emitContexts(session);
  if (method === "Page.setLifecycleEventsEnabled" && params.enabled === true) emitLifecycle(session);
  session.reply(id);
  return true;
}

/** Reports a navigation to a client of a lazy session. */
export function emitNavigation(session: ClientSession): void {
  if (session.setUp.domains.has("Runtime")) session.emit("Runtime.executionContextsCleared", {});
  session.page.contexts.clear();
  session.page.sentLifecycle.clear();
  session.page.sentUrl = addressOf(session);
  const frameId = session.tab?.targetId;
  if (session.setUp.domains.has("Page")) {
    session.emit("Page.frameStartedLoading", { frameId });
    session.emit("Page.frameNavigated", { frame: frameOf(session), type: "Navigation" });
  }
  emitContexts(session);
  if (session.setUp.lifecycle) emitLifecycle(session);
}

/** The debugger left a page: its session gets synthetic replies again, with synthetic contexts. */
export function returnToLazy(session: ClientSession): void {
  const { tab, chrome } = session;
  if (!tab || !chrome || !session.loseDebugger()) return;
  if (session.setUp.domains.has("Page")) {
    for (const { id, parentId } of chrome.frames.values())
      if (parentId === tab.targetId) session.emit("Page.frameDetached", { frameId: id, reason: "remove" });
  }
  if (session.setUp.domains.has("Runtime")) session.emit("Runtime.executionContextsCleared", {});
  session.page.contexts.clear();
  session.page.sentUrl = addressOf(session);
  for (const name of [...BEGUN, ...COMPLETE]) session.page.sentLifecycle.add(name);
  emitContexts(session);
}

function emitContexts(session: ClientSession): void {
  if (!session.setUp.domains.has("Runtime")) return;
  emitContext(session, "");
  for (const world of session.setUp.worlds) emitContext(session, world);
}

/** Reports to a client of a lazy session that the page has loaded. */
export function emitLoaded(session: ClientSession): void {
  if (session.setUp.lifecycle) emitLifecycle(session);
  if (!session.setUp.domains.has("Page")) return;
  const timestamp = performance.now() / 1_000;
  session.emit("Page.domContentEventFired", { timestamp });
  session.emit("Page.loadEventFired", { timestamp });
  session.emit("Page.frameStoppedLoading", { frameId: session.tab?.targetId });
}

/** Creates a synthetic context of the main frame and announces it; returns the known one if there is one. */
function emitContext(session: ClientSession, world: string): number {
  const { context, isNew } = session.page.contexts.create(
    session.tab?.targetId ?? "",
    world,
    addressOf(session),
  );
  if (isNew || world === "") session.emit("Runtime.executionContextCreated", { context });
  return context.id;
}

function emitLifecycle(session: ClientSession): void {
  const { tab } = session;
  if (!tab) return;
  const names = tab.status === "complete" ? [...BEGUN, ...COMPLETE] : BEGUN;
  for (const name of names) {
    if (session.page.sentLifecycle.has(name)) continue;
    session.page.sentLifecycle.add(name);
    const timestamp = performance.now() / 1_000;
    session.emit("Page.lifecycleEvent", { frameId: tab.targetId, loaderId: tab.loaderId, name, timestamp });
  }
}

/**
 * The address that clients see. A tab that waits for its first response has none yet, and Playwright would wait as long as
 * the server takes.
 */
function addressOf({ tab }: ClientSession): string {
  return tab?.url || "about:blank";
}

function frameOf(session: ClientSession): Frame {
  const url = addressOf(session);
  const { targetId = "", loaderId = "" } = session.tab ?? {};
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

/** Whether a session attaches to targets of this type automatically. */
export function wantsTarget(session: ClientSession, type: string): boolean {
  return session.wants.autoAttach !== undefined && passes(session.wants.autoAttach, type);
}
