import { noteSetUp } from "./lazy.js";
import {
  type CdpMessage,
  failure,
  METHOD_NOT_FOUND,
  type Params,
  paramsText,
  SESSION_GONE,
} from "./messages.js";
import type { RelayCore } from "./relay-core.js";
import { isPreparing } from "./set-up.js";
import type { ChromeSession } from "./tab.js";
import { takeEvent } from "./take-event.js";
import { readFilter } from "./targets.js";
import type { View } from "./view.js";
import { withRealWorld } from "./worlds.js";

type Handler = (relay: RelayCore, view: View, chrome: ChromeSession, message: CdpMessage) => void;

/** A command for a page, frame or worker that a debugger is attached to. */
export function runLive(relay: RelayCore, view: View, message: CdpMessage): void {
  const { chrome } = view;
  if (!chrome) return;
  const { method, params } = message;
  if (isPreparing(method)) noteSetUp(view, method, params);
  const special = SPECIAL[method];
  if (special) special(relay, view, chrome, message);
  else if (method.endsWith(".disable")) disable(relay, view, chrome, message);
  else {
    if (method.endsWith(".enable")) chrome.enabled.add(method.slice(0, -".enable".length));
    forward(relay, view, chrome, message);
  }
}

/** Passes a command on and its answer back. */
function forward(
  relay: RelayCore,
  view: View,
  chrome: ChromeSession,
  message: CdpMessage,
  params = translated(view, message) ?? paramsText(message),
  onResult?: (result: Params) => void,
): void {
  const { id, method } = message;
  relay.commandOf(view, chrome, method, params, (outcome) => {
    if (outcome.ok) {
      onResult?.(JSON.parse(outcome.body));
      view.replyText(id, outcome.body);
    } else if (outcome.error.code === METHOD_NOT_FOUND && isPreparing(method)) {
      // Chrome's debugger lacks some domains; a client that only prepares can do without them.
      view.reply(id);
    } else {
      relay.noteRefusal(view, method, outcome.error);
      view.fail(id, outcome.error);
    }
  });
}

/** The parameters with Chrome's ids, or nothing when they are the same. */
function translated(view: View, { method, params }: CdpMessage): string | undefined {
  if (method === "Page.removeScriptToEvaluateOnNewDocument") {
    const identifier = view.scripts.get(String(params.identifier));
    return identifier === undefined ? undefined : JSON.stringify({ ...params, identifier });
  }
  if ("browserContextId" in params && method.startsWith("Storage.")) {
    const { browserContextId: _ours, ...rest } = params;
    return JSON.stringify(rest);
  }
  const named = withRealWorld(view, method, params);
  if (named) return JSON.stringify(named);
  if (!view.contexts.any) return undefined;
  for (const key of ["contextId", "executionContextId"] as const) {
    const given = params[key];
    if (typeof given !== "number") continue;
    const real = view.contexts.toReal(given);
    return real === given ? undefined : JSON.stringify({ ...params, [key]: real });
  }
  return undefined;
}

/** A domain stays on in Chrome while anybody needs it. */
function disable(relay: RelayCore, view: View, chrome: ChromeSession, message: CdpMessage): void {
  const domain = message.method.slice(0, -".disable".length);
  if (neededByOthers(view, chrome, domain)) {
    view.reply(message.id);
    return;
  }
  chrome.enabled.delete(domain);
  if (domain === "Runtime") chrome.contexts.clear();
  forward(relay, view, chrome, message);
}

function neededByOthers(view: View, chrome: ChromeSession, domain: string): boolean {
  return [...chrome.views].some(
    (other) => other !== view && other.state !== "lazy" && other.domains.has(domain),
  );
}

const SPECIAL: Record<string, Handler> = {
  "Runtime.enable"(relay, view, chrome, message) {
    if (!chrome.enabled.has("Runtime")) {
      chrome.enabled.add("Runtime");
      relay.command(
        chrome,
        message.method,
        paramsText(message),
        (outcome) => {
          if (outcome.ok) view.replyText(message.id, outcome.body);
          else view.fail(message.id, outcome.error);
        },
        true,
      );
      return;
    }
    view.whenTreeKnown(() => {
      for (const context of chrome.contexts.values())
        takeEvent(relay, view, again("Runtime.executionContextCreated", { context }));
      if (chrome.workerLoaded) view.emit("Inspector.workerScriptLoaded", {});
      view.reply(message.id);
    });
  },

  "Page.getFrameTree"(relay, view, chrome, message) {
    view.treesPending++;
    relay.command(chrome, message.method, "{}", (outcome) => {
      if (outcome.ok) view.replyText(message.id, outcome.body);
      else view.fail(message.id, outcome.error);
      if (--view.treesPending > 0) return;
      const { afterTrees } = view;
      view.afterTrees = [];
      for (const run of afterTrees) run();
    });
  },

  "Page.setLifecycleEventsEnabled"(relay, view, chrome, message) {
    if (!view.lifecycle) {
      const others = [...chrome.views].some((other) => other !== view && other.lifecycle);
      if (others) view.reply(message.id);
      else {
        chrome.lifecycleOn = false;
        forward(relay, view, chrome, message);
      }
      return;
    }
    if (!chrome.lifecycleOn) {
      chrome.lifecycleOn = true;
      forward(relay, view, chrome, message);
      return;
    }
    view.whenTreeKnown(() => {
      for (const told of chrome.lifecycle.values())
        for (const params of told) takeEvent(relay, view, again("Page.lifecycleEvent", params));
      view.reply(message.id);
    });
  },

  "Target.setAutoAttach"(relay, view, chrome, message) {
    const { params, id } = message;
    view.autoAttach = params.autoAttach === true ? readFilter(params) : undefined;
    view.setUp.note(message.method, params);
    if (!view.autoAttach) {
      view.reply(id);
      return;
    }
    if (!chrome.autoAttached) {
      chrome.autoAttached = true;
      // Which targets it wants is the client's own filter to apply; Chrome is asked for all.
      const { filter: _filter, ...rest } = params;
      forward(relay, view, chrome, message, JSON.stringify(rest));
      return;
    }
    view.whenTreeKnown(() => {
      for (const child of chrome.tab.children.values()) {
        if (child.parent !== chrome) continue;
        const { id: sessionId, targetInfo } = child;
        takeEvent(
          relay,
          view,
          again("Target.attachedToTarget", { sessionId, targetInfo, waitingForDebugger: false }),
        );
      }
      view.reply(id);
    });
  },

  "Target.detachFromTarget"(relay, view, _chrome, { id, params }) {
    const child = [...view.children].find((each) => each.id === params.sessionId);
    if (!child) {
      view.fail(id, { code: SESSION_GONE, message: `No session with given id: ${String(params.sessionId)}` });
      return;
    }
    relay.views.dropView(child, false);
    view.reply(id);
  },

  "Runtime.runIfWaitingForDebugger"(relay, view, chrome, message) {
    if (chrome.waiters.delete(view) && chrome.waiters.size === 0) forward(relay, view, chrome, message);
    else view.reply(message.id);
  },

  "Runtime.releaseObject"(relay, view, chrome, message) {
    if (chrome.objects.release(String(message.params.objectId), view)) forward(relay, view, chrome, message);
    else view.reply(message.id);
  },

  "Page.addScriptToEvaluateOnNewDocument"(relay, view, chrome, message) {
    forward(relay, view, chrome, message, undefined, ({ identifier }) => {
      view.setUp.noteScript(String(identifier), message.params);
      view.scripts.set(String(identifier), String(identifier));
    });
  },

  "Page.removeScriptToEvaluateOnNewDocument"(relay, view, chrome, message) {
    forward(relay, view, chrome, message);
    view.setUp.forgetScript(String(message.params.identifier));
    view.scripts.delete(String(message.params.identifier));
  },

  "Page.createIsolatedWorld"(relay, view, chrome, message) {
    const { worldName } = message.params;
    if (typeof worldName === "string" && worldName !== "" && view.kind === "page") view.worlds.add(worldName);
    forward(relay, view, chrome, message);
  },

  "Fetch.enable"(relay, view, chrome, message) {
    chrome.enabled.add("Fetch");
    forward(relay, view, chrome, message, JSON.stringify(relay.fetchPatterns(chrome)));
  },

  "Fetch.disable"(relay, view, chrome, message) {
    if (!neededByOthers(view, chrome, "Fetch")) disable(relay, view, chrome, message);
    else {
      relay.command(chrome, "Fetch.enable", JSON.stringify(relay.fetchPatterns(chrome)), () => {});
      view.reply(message.id);
    }
  },

  "Page.bringToFront"(relay, view, chrome, { id }) {
    relay.desk.ask("activateTab", JSON.stringify({ tabId: chrome.tab.tabId }), (outcome) => {
      if (outcome.ok) view.reply(id);
      else view.fail(id, outcome.error);
    });
  },

  "Page.navigate"(relay, view, chrome, message) {
    relay.noteAct(view, "Page.navigate", String(message.params.url));
    forward(relay, view, chrome, message);
  },

  "Target.getTargetInfo": (relay, view, _chrome, message) => relay.runRoot(view.client.root, message, view),
  "Target.closeTarget": (relay, view, _chrome, message) => relay.runRoot(view.client.root, message, view),
};

for (const method of [
  "Target.attachToTarget",
  "Target.createTarget",
  "Target.getTargets",
  "Target.setDiscoverTargets",
]) {
  SPECIAL[method] = (_relay, view, _chrome, { id }) =>
    view.fail(id, failure("not_supported", `${method} belongs to the browser's session, not to a page's`));
}

function again(
  method: string,
  params: object,
): {
  method: string;
  text: string;
  params: Params;
} {
  return { method, text: JSON.stringify(params), params: params as Params };
}
