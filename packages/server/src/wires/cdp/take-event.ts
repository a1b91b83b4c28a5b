import type { Params } from "./messages.js";
import type { RelayCore } from "./relay-core.js";
import type { Context } from "./tab.js";
import { BROWSER_CONTEXT_ID } from "./targets.js";
import type { ChromeEvent, View } from "./view.js";
import { ownWorld } from "./worlds.js";

/** Domains without an `enable` that a client has to ask for: their events go to everyone who looks at the page. */
const FOR_ALL = new Set(["Inspector", "Tracing", "Input", "Emulation", "Storage"]);

/** Gives an event of Chrome to a live view, in the ids of its client, if it is one that it wants. */
export function takeEvent(relay: RelayCore, view: View, event: ChromeEvent): void {
  const { method, text } = event;
  const dot = method.indexOf(".");
  const domain = method.slice(0, dot);
  if (domain === "Target") {
    takeTarget(relay, view, event);
    return;
  }
  if (!view.domains.has(domain) && !FOR_ALL.has(domain)) return;
  if (domain === "Runtime") {
    takeRuntime(view, event);
    return;
  }
  if (method === "Page.lifecycleEvent") {
    const { frameId, name } = event.params ?? {};
    if (!view.lifecycle) return;
    if (frameId === view.tab?.targetId && view.toldLifecycle.delete(String(name))) return;
  }
  if (method === "Page.frameNavigated" && (event.params?.frame as Params)?.id === view.tab?.targetId)
    view.toldLifecycle.clear();
  if (method === "Page.fileChooserOpened" && !interceptsFileChooser(view)) return;
  view.emitText(method, text);
}

function interceptsFileChooser(view: View): boolean {
  return view.setUp.get("Page.setInterceptFileChooserDialog")?.params.enabled === true;
}

function takeRuntime(view: View, { method, text, params = {} }: ChromeEvent): void {
  const { contexts } = view;
  switch (method) {
    case "Runtime.executionContextCreated": {
      const real = params.context as Context;
      const name = ownWorld(view, real.name);
      const context = name === real.name ? real : { ...real, name };
      if (contexts.any && contexts.bind(context)) return;
      if (context === real) break;
      view.emit(method, { context });
      return;
    }
    case "Runtime.executionContextDestroyed": {
      const real = Number(params.executionContextId);
      const own = contexts.toOwn(real);
      contexts.dropReal(real);
      if (own === real) break;
      view.emit(method, {
        ...params,
        executionContextId: own,
        executionContextUniqueId: `debug-bridge.${own}`,
      });
      return;
    }
    case "Runtime.executionContextsCleared":
      contexts.clear();
      break;
    case "Runtime.bindingCalled":
      if (!view.bindings.has(String(params.name))) return;
      if (!contexts.any) break;
      view.emit(method, {
        ...params,
        executionContextId: contexts.toOwn(Number(params.executionContextId)),
      });
      return;
    case "Runtime.consoleAPICalled":
      if (!contexts.any) break;
      view.emit(method, {
        ...params,
        executionContextId: contexts.toOwn(Number(params.executionContextId)),
      });
      return;
    case "Runtime.exceptionThrown": {
      if (!contexts.any) break;
      const details = params.exceptionDetails as Params;
      const executionContextId = contexts.toOwn(Number(details.executionContextId));
      view.emit(method, { ...params, exceptionDetails: { ...details, executionContextId } });
      return;
    }
  }
  view.emitText(method, text);
}

function takeTarget(relay: RelayCore, view: View, { method, params = {} }: ChromeEvent): void {
  const child = view.tab?.children.get(String(params.sessionId));
  if (method === "Target.attachedToTarget") {
    if (!child || !view.autoAttach) return;
    if ([...child.views].some(({ parent }) => parent === view)) return;
    const made = relay.views.make("child", view, child.tab, child);
    if (params.waitingForDebugger === true) child.waiters.add(made);
    view.emit(method, {
      ...params,
      sessionId: made.id,
      targetInfo: { ...(params.targetInfo as object), browserContextId: BROWSER_CONTEXT_ID },
    });
  } else if (method === "Target.detachedFromTarget") {
    // The views of a child leave with it, and say so to their parents (see chrome-events.ts).
  } else if (method === "Target.targetInfoChanged" || method === "Target.targetCrashed") {
    view.emit(method, params);
  }
}
