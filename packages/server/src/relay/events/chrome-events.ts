import type { ClientSession } from "../clients/client-session.js";
import type { RelayCore } from "../relay-core.js";
import type { ChromeSession, Frame, Tab } from "../tabs/tab.js";
import type { Params } from "../wire/messages.js";
import type { ChromeEvent } from "./chrome-event.js";
import { deliverEvent } from "./deliver-event.js";
import { keepEvent, keepLifecycle } from "./kept-state.js";
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
  if (!keepEvent(relay, chrome, method, params)) return;
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
