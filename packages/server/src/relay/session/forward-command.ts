import { statSync } from "node:fs";
import type { ClientSession } from "../clients/client-session.js";
import { clientName } from "../clients/command-gate.js";
import { chromeEvent } from "../events/chrome-event.js";
import { deliverEvent } from "../events/deliver-event.js";
import type { RelayCore } from "../relay-core.js";
import type { ChromeSession } from "../tabs/tab.js";
import { readFilter } from "../targets/target-info.js";
import {
  type CdpFailure,
  type CdpMessage,
  failure,
  METHOD_NOT_FOUND,
  type Params,
  SERVER_ERROR,
  SESSION_GONE,
} from "../wire/messages.js";
import { isRecognised, needsPlace, placeRead } from "./place-read.js";
import { isPreparing } from "./set-up.js";
import { realWorld, withRealWorld } from "./world-names.js";

type Handler = (relay: RelayCore, session: ClientSession, chrome: ChromeSession, message: CdpMessage) => void;

/** Runs a command in a page, frame or worker that a debugger is attached to. */
export function forwardCommand(relay: RelayCore, session: ClientSession, message: CdpMessage): void {
  const { chrome } = session;
  if (!chrome) return;
  const { method, params } = message;
  if (isPreparing(method)) session.setUp.record(method, params);
  const special = SPECIAL[method];
  if (message.onlyLooks && needsPlace(method))
    placeRead(relay, session, chrome, message, (placed) =>
      forward(relay, session, chrome, placed, undefined, (result) =>
        chrome.roles.record(method, placed.params, result, isRecognised(placed)),
      ),
    );
  else if (message.onlyLooks && method === "Runtime.getProperties")
    forward(relay, session, chrome, message, undefined, (result) =>
      chrome.roles.record(method, params, result, false),
    );
  else if (special) special(relay, session, chrome, message);
  else if (method.endsWith(".disable")) disable(relay, session, chrome, message);
  else {
    if (method.endsWith(".enable")) chrome.enabled.add(method.slice(0, -".enable".length));
    forward(relay, session, chrome, message);
  }
}

/** Forwards a command, and its reply. */
function forward(
  relay: RelayCore,
  session: ClientSession,
  chrome: ChromeSession,
  message: CdpMessage,
  params = translated(session, message) ?? JSON.stringify(message.params),
  onResult?: (result: Params) => void,
): void {
  const { id, method } = message;
  relay.commandOf(session, message, chrome, params, (outcome) => {
    if (outcome.ok) {
      onResult?.(JSON.parse(outcome.body));
      session.replyText(id, outcome.body);
    } else if (mayRepeat(session, message, outcome.error)) {
      // It is admitted again: what the client may do in the tab can be what changed.
      session.endUnrun(id, outcome.error);
      relay.receive(session.client, { ...message, isRepeated: true });
    } else if (outcome.error.code === METHOD_NOT_FOUND && isPreparing(method)) {
      // Chrome's debugger lacks some domains; set-up can do without them.
      session.reply(id);
    } else {
      if (!session.isTracked(id)) relay.commands.auditRefusal(clientName(session), method, outcome.error);
      session.fail(id, outcome.error);
    }
  });
}

/** The extension's words for a command that it did not run because the debugger had just left the tab. */
const NOT_ATTACHED = /no debugger is attached to tab \d+; send attachTab first/;

/** Whether a command was not run, and attaching again can help. */
function mayRepeat(session: ClientSession, message: CdpMessage, { message: why }: CdpFailure): boolean {
  return session.isLazy && !message.isRepeated && !message.onlyLooks && NOT_ATTACHED.test(why);
}

/** The parameters with Chrome's ids, or nothing when they are the same. */
function translated(session: ClientSession, { method, params }: CdpMessage): string | undefined {
  if (method === "Page.removeScriptToEvaluateOnNewDocument") {
    const identifier = session.setUp.scripts.get(String(params.identifier));
    return identifier === undefined ? undefined : JSON.stringify({ ...params, identifier });
  }
  if ("browserContextId" in params && method.startsWith("Storage.")) {
    const { browserContextId: _ours, ...rest } = params;
    return JSON.stringify(rest);
  }
  const named = withRealWorld(session, method, params);
  if (named) return JSON.stringify(named);
  if (!session.page.contexts.any) return undefined;
  for (const key of ["contextId", "executionContextId"] as const) {
    const given = params[key];
    if (typeof given !== "number") continue;
    const real = session.page.contexts.toReal(given);
    return real === given ? undefined : JSON.stringify({ ...params, [key]: real });
  }
  return undefined;
}

/** A domain stays on in Chrome while anybody needs it. */
function disable(relay: RelayCore, session: ClientSession, chrome: ChromeSession, message: CdpMessage): void {
  const domain = message.method.slice(0, -".disable".length);
  if (neededByOthers(session, chrome, domain)) {
    session.reply(message.id);
    return;
  }
  chrome.enabled.delete(domain);
  if (domain === "Runtime") chrome.contexts.clear();
  forward(relay, session, chrome, message);
}

function neededByOthers(session: ClientSession, chrome: ChromeSession, domain: string): boolean {
  return [...chrome.sessions].some(
    (other) => other !== session && other.usesPage && other.setUp.domains.has(domain),
  );
}

const SPECIAL: Record<string, Handler> = {
  "Runtime.enable"(relay, session, chrome, message) {
    if (!chrome.enabled.has("Runtime")) {
      chrome.enabled.add("Runtime");
      relay.command(
        chrome,
        message.method,
        JSON.stringify(message.params),
        (outcome) => {
          if (outcome.ok) session.replyText(message.id, outcome.body);
          else session.fail(message.id, outcome.error);
        },
        { plain: true },
      );
      return;
    }
    session.trees.whenKnown(() => {
      for (const context of chrome.contexts.values())
        deliverEvent(relay, session, chromeEvent("Runtime.executionContextCreated", { context }));
      if (chrome.workerLoaded) session.emit("Inspector.workerScriptLoaded", {});
      session.reply(message.id);
    });
  },

  "Page.getFrameTree"(relay, session, chrome, message) {
    session.trees.requested();
    relay.command(chrome, message.method, "{}", (outcome) => {
      if (outcome.ok) session.replyText(message.id, outcome.body);
      else session.fail(message.id, outcome.error);
      session.trees.answered();
    });
  },

  "Page.setLifecycleEventsEnabled"(relay, session, chrome, message) {
    if (!session.setUp.lifecycle) {
      const others = [...chrome.sessions].some((other) => other !== session && other.setUp.lifecycle);
      if (others) session.reply(message.id);
      else {
        chrome.lifecycleOn = false;
        forward(relay, session, chrome, message);
      }
      return;
    }
    if (!chrome.lifecycleOn) {
      chrome.lifecycleOn = true;
      forward(relay, session, chrome, message);
      return;
    }
    session.trees.whenKnown(() => {
      for (const events of chrome.lifecycle.values())
        for (const params of events) deliverEvent(relay, session, chromeEvent("Page.lifecycleEvent", params));
      session.reply(message.id);
    });
  },

  "Target.setAutoAttach"(relay, session, chrome, message) {
    const { params, id } = message;
    session.wants.autoAttach = params.autoAttach === true ? readFilter(params) : undefined;
    session.setUp.record(message.method, params);
    if (!session.wants.autoAttach) {
      session.reply(id);
      return;
    }
    if (!chrome.autoAttached) {
      chrome.autoAttached = true;
      // The relay applies the client's filter itself; Chrome reports all targets.
      const { filter: _filter, ...rest } = params;
      forward(relay, session, chrome, message, JSON.stringify(rest));
      return;
    }
    session.trees.whenKnown(() => {
      for (const child of chrome.tab.children.values()) {
        if (child.parent !== chrome) continue;
        const { id: sessionId, targetInfo } = child;
        deliverEvent(
          relay,
          session,
          chromeEvent("Target.attachedToTarget", { sessionId, targetInfo, waitingForDebugger: false }),
        );
      }
      session.reply(id);
    });
  },

  "Target.detachFromTarget"(relay, session, _chrome, { id, params }) {
    const child = [...session.children].find((each) => each.id === params.sessionId);
    if (!child) {
      session.fail(id, {
        code: SESSION_GONE,
        message: `No session with given id: ${String(params.sessionId)}`,
      });
      return;
    }
    relay.sessions.drop(child, false);
    session.reply(id);
  },

  "Runtime.runIfWaitingForDebugger"(relay, session, chrome, message) {
    if (chrome.waiters.delete(session) && chrome.waiters.size === 0) forward(relay, session, chrome, message);
    else session.reply(message.id);
  },

  "Runtime.releaseObject"(relay, session, chrome, message) {
    if (chrome.objects.release(String(message.params.objectId), session))
      forward(relay, session, chrome, message);
    else session.reply(message.id);
  },

  "Page.addScriptToEvaluateOnNewDocument"(relay, session, chrome, message) {
    forward(relay, session, chrome, message, undefined, ({ identifier }) => {
      session.setUp.recordScript(String(identifier), message.params);
      session.setUp.scripts.set(String(identifier), String(identifier));
    });
  },

  "Page.removeScriptToEvaluateOnNewDocument"(relay, session, chrome, message) {
    // Chrome's ids count up, and others have scripts in the page too.
    if (!session.setUp.scripts.has(String(message.params.identifier)))
      return session.fail(message.id, { code: SERVER_ERROR, message: "Script not found" });
    forward(relay, session, chrome, message);
    session.setUp.removeScript(String(message.params.identifier));
    session.setUp.scripts.delete(String(message.params.identifier));
  },

  "Page.createIsolatedWorld"(relay, session, chrome, message) {
    const { worldName } = message.params;
    const isNamed = typeof worldName === "string" && worldName !== "";
    if (isNamed && session.kind === "page") session.setUp.worlds.add(worldName);
    forward(relay, session, chrome, message, undefined, ({ executionContextId }) => {
      if (isNamed) chrome.worlds.set(Number(executionContextId), realWorld(session, worldName));
    });
  },

  "Fetch.enable"(relay, session, chrome, message) {
    chrome.enabled.add("Fetch");
    forward(relay, session, chrome, message, JSON.stringify(relay.fetchPatterns(chrome)));
  },

  "Fetch.disable"(relay, session, chrome, message) {
    if (!neededByOthers(session, chrome, "Fetch")) disable(relay, session, chrome, message);
    else {
      relay.command(chrome, "Fetch.enable", JSON.stringify(relay.fetchPatterns(chrome)), () => {});
      session.reply(message.id);
    }
  },

  // Chrome runs one in a page. The hub's own gives way to that of a client.
  "Page.startScreencast"(relay, session, chrome, message) {
    const others = [...chrome.sessions].filter((other) => other !== session && other.wants.screencast);
    if (session.client.isInside && others.length > 0)
      return session.fail(message.id, { code: SERVER_ERROR, message: "another client films this page" });
    for (const other of others.filter(({ client }) => client.isInside)) {
      other.wants.screencast = false;
      relay.command(chrome, "Page.stopScreencast", "{}", () => {});
    }
    session.wants.screencast = true;
    forward(relay, session, chrome, message);
  },
  "Page.stopScreencast"(relay, session, chrome, message) {
    if (session.client.isInside && !session.wants.screencast) return session.reply(message.id);
    forward(relay, session, chrome, message, undefined, () => {
      session.wants.screencast = false;
    });
  },

  "Page.bringToFront": (relay, session, chrome, { id }) =>
    activate(relay, session, chrome, id, () => session.reply(id)),

  "DOM.setFileInputFiles"(relay, session, chrome, message) {
    const { files } = message.params;
    const send = (): void => forward(relay, session, chrome, message);
    // Chrome gives a page a folder only when the page is shown.
    if (!Array.isArray(files) || !files.some(isFolder)) send();
    else activate(relay, session, chrome, message.id, send);
  },

  "Target.getTargetInfo": (relay, session, _chrome, message) =>
    relay.runBrowserCommand(session.client.root, message, session),
  "Target.closeTarget": (relay, session, _chrome, message) =>
    relay.runBrowserCommand(session.client.root, message, session),
};

/** Shows a tab in its window. */
function activate(
  relay: RelayCore,
  session: ClientSession,
  { tab }: ChromeSession,
  id: number,
  then: () => void,
): void {
  relay.extension.request("activateTab", JSON.stringify({ tabId: tab.tabId }), (outcome) => {
    if (outcome.ok) then();
    else session.fail(id, outcome.error);
  });
}

function isFolder(path: unknown): boolean {
  return statSync(String(path), { throwIfNoEntry: false })?.isDirectory() === true;
}

for (const method of [
  "Target.attachToTarget",
  "Target.createTarget",
  "Target.getTargets",
  "Target.setDiscoverTargets",
]) {
  SPECIAL[method] = (_relay, session, _chrome, { id }) =>
    session.fail(id, failure("not_supported", `${method} belongs to the browser's session, not to a page's`));
}
