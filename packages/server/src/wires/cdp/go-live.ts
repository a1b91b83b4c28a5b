import type { CdpFailure } from "./messages.js";
import type { RelayCore } from "./relay-core.js";
import type { Frame, FrameTree, Tab } from "./tab.js";
import { takeEvent } from "./take-event.js";
import type { ChromeEvent, View } from "./view.js";
import { realWorld, withRealWorld } from "./worlds.js";

/** What Chrome has said already of what others set up; this view has to hear it as if it were new. */
const event = (method: string, params: object): ChromeEvent => ({
  method,
  text: JSON.stringify(params),
  params: params as Record<string, unknown>,
});

/**
 * Connects a view that lived on our answers with the page itself. All is sent in one go: the debugger, the frame tree,
 * what the client had set up, its isolated worlds. Events are held meanwhile. Then the client hears of the frames that
 * it does not know, its contexts come to stand for the real ones, and what it asked in the meantime goes out.
 */
export function goLive(relay: RelayCore, view: View): void {
  const { tab, chrome } = view;
  if (!tab || !chrome) return;
  view.state = "going";
  view.held = alreadyKnown(view);
  let attachError: CdpFailure | undefined;
  let tree: FrameTree | undefined;
  let open = 1;
  const closeOne = (): void => {
    if (--open === 0) finish(relay, view, tree, attachError);
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
      plain,
    );
  };
  open++;
  relay.attach(tab, (error) => {
    attachError = error;
    closeOne();
  });
  const makeWorlds = (frames: readonly Frame[]): void => {
    for (const worldName of view.worlds)
      for (const { id: frameId } of frames)
        send("Page.createIsolatedWorld", {
          frameId,
          worldName: realWorld(view, worldName),
          grantUniveralAccess: true,
        });
  };
  if (view.domains.has("Page")) send("Page.enable", {});
  send("Page.getFrameTree", {}, (result) => {
    tree = result.frameTree as FrameTree;
    const [, ...inner] = flatten(tree);
    for (const frame of flatten(tree)) chrome.frames.set(frame.id, frame);
    makeWorlds(inner);
  });
  for (const { method, params, scriptId } of view.setUp.all()) {
    if (method === "Page.enable") continue;
    if (method === "Runtime.enable") {
      if (!chrome.enabled.has("Runtime")) send(method, params, undefined, true);
    } else if (method === "Target.setAutoAttach") {
      if (!chrome.autoAttached && view.autoAttach) send(method, { ...params, filter: undefined });
      chrome.autoAttached ||= view.autoAttach !== undefined;
    } else if (method === "Page.setLifecycleEventsEnabled") {
      if (!chrome.lifecycleOn && view.lifecycle) send(method, params);
      chrome.lifecycleOn ||= view.lifecycle;
    } else if (scriptId !== undefined) {
      send(method, withRealWorld(view, method, params) ?? params, (result) => {
        view.scripts.set(scriptId, String(result.identifier));
      });
    } else {
      // Chrome takes commands in order: the client's own need not wait until all of these are answered.
      const real =
        method === "Fetch.enable"
          ? relay.fetchPatterns(chrome)
          : (withRealWorld(view, method, params) ?? params);
      relay.command(chrome, method, JSON.stringify(real), () => {});
    }
    if (method.endsWith(".enable")) chrome.enabled.add(method.slice(0, -".enable".length));
  }
  makeWorlds([{ id: tab.targetId, loaderId: "", url: "" }]);
  closeOne();
}

/** The events that a view has missed because somebody else looks at the page already. */
function alreadyKnown(view: View): ChromeEvent[] {
  const { chrome } = view;
  if (!chrome) return [];
  const events: ChromeEvent[] = [];
  for (const context of chrome.contexts.values())
    events.push(event("Runtime.executionContextCreated", { context }));
  for (const told of chrome.lifecycle.values())
    for (const params of told) events.push(event("Page.lifecycleEvent", params));
  for (const child of chrome.tab.children.values())
    if (child.parent === chrome)
      events.push(
        event("Target.attachedToTarget", {
          sessionId: child.id,
          targetInfo: child.targetInfo,
          waitingForDebugger: false,
        }),
      );
  return events;
}

function finish(
  relay: RelayCore,
  view: View,
  tree: FrameTree | undefined,
  attachError: CdpFailure | undefined,
): void {
  const { queue, held, tab } = view;
  if (view.state !== "going" || !tab) return;
  if (!tree || tab.attachment !== "attached") {
    view.state = "lazy";
    view.queue = [];
    view.held = [];
    const error = attachError ?? relay.lostError(tab);
    for (const { id } of queue) view.fail(id, error);
    return;
  }
  view.state = "live";
  view.held = [];
  const known = tellFrames(view, tab, tree);
  for (const each of held) {
    // A frame that came while the tree was asked for is in both; a client that hears of it twice gives up.
    if (each.method === "Page.frameAttached" && known.has(String(each.params?.frameId))) continue;
    takeEvent(relay, view, each);
  }
  view.toldLifecycle.clear();
  view.queue = [];
  for (const message of queue) relay.dispatch(view, message);
  // Others hear of it after the client has had its turn: what they do in the page must not come before its command.
  relay.onLive(view);
}

function tellFrames(view: View, tab: Tab, tree: FrameTree): Set<string> {
  const [main, ...inner] = flatten(tree);
  if (view.domains.has("Page")) {
    if (main && withoutHash(main.url) !== withoutHash(view.toldUrl) && main.url !== ":")
      view.emit("Page.frameNavigated", { frame: main, type: "Navigation" });
    for (const frame of inner) {
      view.emit("Page.frameAttached", { frameId: frame.id, parentFrameId: frame.parentId ?? tab.targetId });
      view.emit("Page.frameNavigated", { frame, type: "Navigation" });
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
