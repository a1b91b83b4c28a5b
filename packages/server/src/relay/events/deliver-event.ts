import { namesOurScripts, withoutOurFrames } from "@debug-bridge/driver";
import { EXTENSION_ORIGIN } from "../../wires/extension/socket.js";
import type { ClientSession } from "../clients/client-session.js";
import type { RelayCore } from "../relay-core.js";
import { CLEAN_STAND_IN, ENGINE_WORLD, ownWorld, STAND_IN, WORLD_PREFIX } from "../session/world-names.js";
import type { Context } from "../tabs/tab.js";
import { BROWSER_CONTEXT_ID } from "../targets/target-info.js";
import type { Params } from "../wire/messages.js";
import type { ChromeEvent } from "./chrome-event.js";

/** Domains without an `enable`: their events go to every session on the page. */
const FOR_ALL = new Set(["Inspector", "Tracing", "Input", "Emulation", "Storage"]);

/** Delivers an event of Chrome to an attached session, in the ids of its client, if the client wants it. */
export function deliverEvent(relay: RelayCore, session: ClientSession, event: ChromeEvent): void {
  const { method, text } = event;
  const dot = method.indexOf(".");
  const domain = method.slice(0, dot);
  if (domain === "Target") {
    deliverTarget(relay, session, event);
    return;
  }
  if (method.startsWith("Page.screencast")) {
    if (session.wants.screencast) session.emitText(method, text);
    return;
  }
  if (!session.setUp.domains.has(domain) && !FOR_ALL.has(domain)) return;
  if (domain === "Runtime") {
    deliverRuntime(session, event);
    return;
  }
  if (method === "Page.lifecycleEvent") {
    const { frameId, name } = event.params ?? {};
    if (!session.setUp.lifecycle) return;
    if (frameId === session.tab?.targetId && session.page.sentLifecycle.delete(String(name))) return;
  }
  if (method === "Page.frameNavigated" && (event.params?.frame as Params)?.id === session.tab?.targetId)
    session.page.sentLifecycle.clear();
  if (method === "Page.fileChooserOpened" && !interceptsFileChooser(session)) return;
  session.emitText(method, text);
}

function interceptsFileChooser(session: ClientSession): boolean {
  return session.setUp.get("Page.setInterceptFileChooserDialog")?.params.enabled === true;
}

function deliverRuntime(session: ClientSession, { method, text, params = {} }: ChromeEvent): void {
  const { contexts } = session.page;
  switch (method) {
    case "Runtime.executionContextCreated": {
      const real = params.context as Context;
      if (isForeign(session, real)) return;
      const name = ownWorld(session, real.name);
      const context = name === real.name ? real : { ...real, name };
      if (contexts.any && contexts.bind(context)) return;
      if (context === real) break;
      session.emit(method, { context });
      return;
    }
    case "Runtime.executionContextDestroyed": {
      const real = Number(params.executionContextId);
      const own = contexts.toOwn(real);
      contexts.dropReal(real);
      if (own === real) break;
      session.emit(method, {
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
      if (!session.setUp.bindings.has(String(params.name))) return;
      if (!contexts.any) break;
      session.emit(method, {
        ...params,
        executionContextId: contexts.toOwn(Number(params.executionContextId)),
      });
      return;
    case "Runtime.consoleAPICalled":
      if (!contexts.any && !namesOurScripts(text)) break;
      session.emit(method, {
        ...params,
        executionContextId: contexts.toOwn(Number(params.executionContextId)),
        ...ownStack(params),
      });
      return;
    case "Runtime.exceptionThrown": {
      if (!contexts.any && !namesOurScripts(text)) break;
      const details = params.exceptionDetails as Params;
      const executionContextId = contexts.toOwn(Number(details.executionContextId));
      session.emit(method, {
        ...params,
        exceptionDetails: { ...details, executionContextId, ...ownStack(details) },
      });
      return;
    }
  }
  session.emitText(method, text);
}

/** The stack of an event without our script. */
function ownStack({ stackTrace }: Params): object {
  type Stack = Parameters<typeof withoutOurFrames>[0];
  return stackTrace ? { stackTrace: withoutOurFrames(stackTrace as Stack) } : {};
}

/**
 * Whether a context belongs to another client, to the page engine or to our extension's content script. The origin alone
 * does not show that: a page at `about:blank` has the origin of the extension that navigated it.
 */
function isForeign(session: ClientSession, { name, origin, auxData }: Context): boolean {
  if (session.client.isInside || auxData?.isDefault !== false || name === "") return false;
  if (name.startsWith(WORLD_PREFIX)) {
    const own = ownWorld(session, name);
    return own === name || own === STAND_IN || own === CLEAN_STAND_IN;
  }
  return name === ENGINE_WORLD || origin === EXTENSION_ORIGIN;
}

function deliverTarget(relay: RelayCore, session: ClientSession, { method, params = {} }: ChromeEvent): void {
  const child = session.tab?.children.get(String(params.sessionId));
  if (method === "Target.attachedToTarget") {
    if (!child || !session.wants.autoAttach) return;
    if ([...child.sessions].some(({ parent }) => parent === session)) return;
    const made = relay.sessions.create("child", session, child.tab, child);
    if (params.waitingForDebugger === true) child.waiters.add(made);
    session.emit(method, {
      ...params,
      sessionId: made.id,
      targetInfo: { ...(params.targetInfo as object), browserContextId: BROWSER_CONTEXT_ID },
    });
  } else if (method === "Target.detachedFromTarget") {
    // The sessions of a child are dropped with it, which is when their clients are notified (see chrome-events.ts).
  } else if (method === "Target.targetInfoChanged" || method === "Target.targetCrashed") {
    session.emit(method, params);
  }
}
