import type { ClientSession } from "../clients/client-session.js";
import { type ChromeEvent, chromeEvent } from "../events/chrome-event.js";
import { deliverEvent } from "../events/deliver-event.js";
import type { RelayCore } from "../relay-core.js";
import type { Frame, FrameTree, Tab } from "../tabs/tab.js";
import type { CdpFailure, CdpMessage } from "../wire/messages.js";
import { realWorld, withRealWorld } from "./world-names.js";

/**
 * Attaches a lazy session to its page. Everything is sent at once: the debugger, the frame tree, the client's set-up, its
 * isolated worlds. Events are held meanwhile. Then the client gets the frames that it does not know, its synthetic
 * contexts are bound to the real ones, and its waiting commands are sent.
 */
export function attachSession(relay: RelayCore, session: ClientSession, first: CdpMessage): void {
  const { tab, chrome } = session;
  if (!tab || !chrome) return;
  session.beginAttach(first, missedEvents(session));
  let attachError: CdpFailure | undefined;
  let tree: FrameTree | undefined;
  let open = 1;
  const closeOne = (): void => {
    if (--open === 0) finish(relay, session, tree, attachError);
  };
  const send = (
    method: string,
    params: object,
    then?: (result: Record<string, unknown>) => void,
    plain = false,
  ): void => {
    open++;
    relay.command(
      chrome,
      method,
      JSON.stringify(params),
      (outcome) => {
        if (outcome.ok) then?.(JSON.parse(outcome.body));
        closeOne();
      },
      { plain, own },
    );
  };
  const own = session.client.isInside;
  open++;
  relay.attachments.attach(tab, (error) => {
    attachError = error;
    closeOne();
  });
  const makeWorlds = (frames: readonly Frame[]): void => {
    for (const worldName of session.setUp.worlds)
      for (const { id: frameId } of frames)
        send("Page.createIsolatedWorld", {
          frameId,
          worldName: realWorld(session, worldName),
          ...(relay.commands.readOnlyBy(tab.tabId) ? {} : { grantUniveralAccess: true }),
        });
  };
  if (session.setUp.domains.has("Page")) send("Page.enable", {});
  send("Page.getFrameTree", {}, (result) => {
    tree = result.frameTree as FrameTree;
    const [, ...inner] = flatten(tree);
    for (const frame of flatten(tree)) chrome.frames.set(frame.id, frame);
    makeWorlds(inner);
  });
  for (const { method, params, scriptId } of session.setUp.all()) {
    if (method === "Page.enable") continue;
    if (method === "Runtime.enable") {
      if (!chrome.enabled.has("Runtime")) send(method, params, undefined, true);
    } else if (method === "Target.setAutoAttach") {
      if (!chrome.autoAttached && session.wants.autoAttach) send(method, { ...params, filter: undefined });
      chrome.autoAttached ||= session.wants.autoAttach !== undefined;
    } else if (method === "Page.setLifecycleEventsEnabled") {
      if (!chrome.lifecycleOn && session.setUp.lifecycle) send(method, params);
      chrome.lifecycleOn ||= session.setUp.lifecycle;
    } else if (scriptId !== undefined) {
      send(method, withRealWorld(session, method, params) ?? params, (result) => {
        session.setUp.scripts.set(scriptId, String(result.identifier));
      });
    } else {
      // Chrome runs commands in order: the client's own need not wait for these replies.
      const real =
        method === "Fetch.enable"
          ? relay.fetchPatterns(chrome)
          : (withRealWorld(session, method, params) ?? params);
      relay.command(chrome, method, JSON.stringify(real), () => {}, { own });
    }
    if (method.endsWith(".enable")) chrome.enabled.add(method.slice(0, -".enable".length));
  }
  makeWorlds([{ id: tab.targetId, loaderId: "", url: "" }]);
  closeOne();
}

/** The events that a session has missed because other clients are attached to the page already. */
function missedEvents(session: ClientSession): ChromeEvent[] {
  const { chrome } = session;
  if (!chrome) return [];
  const events: ChromeEvent[] = [];
  for (const context of chrome.contexts.values())
    events.push(chromeEvent("Runtime.executionContextCreated", { context }));
  for (const sent of chrome.lifecycle.values())
    for (const params of sent) events.push(chromeEvent("Page.lifecycleEvent", params));
  for (const child of chrome.tab.children.values())
    if (child.parent === chrome)
      events.push(
        chromeEvent("Target.attachedToTarget", {
          sessionId: child.id,
          targetInfo: child.targetInfo,
          waitingForDebugger: false,
        }),
      );
  return events;
}

function finish(
  relay: RelayCore,
  session: ClientSession,
  tree: FrameTree | undefined,
  attachError: CdpFailure | undefined,
): void {
  const { tab } = session;
  if (!session.isAttaching || !tab) return;
  if (!tree || tab.attachment !== "attached") {
    const { queue } = session.failAttach();
    const error = attachError ?? relay.attachments.lostError(tab);
    for (const { id } of queue) session.fail(id, error);
    return;
  }
  const { queue, held } = session.completeAttach();
  const known = emitFrames(session, tab, tree);
  for (const each of held) {
    // A frame that was attached while the tree was requested is in both; clients fail when it is reported twice.
    if (each.method === "Page.frameAttached" && known.has(String(each.params?.frameId))) continue;
    deliverEvent(relay, session, each);
  }
  session.page.sentLifecycle.clear();
  for (const message of queue) relay.dispatch(session, message);
  // Reported last: what others then do in the page must not come before the client's own command.
  relay.usage.onAttached(session);
}

function emitFrames(session: ClientSession, tab: Tab, tree: FrameTree): Set<string> {
  const [main, ...inner] = flatten(tree);
  if (session.setUp.domains.has("Page")) {
    if (main && withoutHash(main.url) !== withoutHash(session.page.sentUrl) && main.url !== ":")
      session.emit("Page.frameNavigated", { frame: main, type: "Navigation" });
    for (const frame of inner) {
      session.emit("Page.frameAttached", {
        frameId: frame.id,
        parentFrameId: frame.parentId ?? tab.targetId,
      });
      session.emit("Page.frameNavigated", { frame, type: "Navigation" });
    }
  }
  return new Set(inner.map(({ id }) => id));
}

export function flatten({ frame, childFrames = [] }: FrameTree): Frame[] {
  return [frame, ...childFrames.flatMap(flatten)];
}

function withoutHash(url: string): string {
  const hash = url.indexOf("#");
  return hash === -1 ? url : url.slice(0, hash);
}
