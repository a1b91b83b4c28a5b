import type { Client } from "./client.js";
import { wantsTarget } from "./lazy.js";
import type { RelayCore } from "./relay-core.js";
import type { ChromeSession, Tab } from "./tab.js";
import { BROWSER_TARGET_ID, browserInfo, pageInfo, passes, tabInfo } from "./targets.js";
import { View, type ViewKind } from "./view.js";

const TARGET_CLOSED = -32_000;

/** Who looks at what: makes sessions for clients, and takes them away. */
export class ViewBook {
  /** Tabs that a client has just opened, or a page that it works in, until it knows them. */
  private readonly fresh = new WeakMap<Tab, Set<Client>>();

  constructor(private readonly relay: RelayCore) {}

  make(kind: ViewKind, parent: View, tab: Tab | undefined, chrome: ChromeSession | undefined): View {
    const { client } = parent;
    const view = new View(kind, client.newSessionId(), client, parent, tab, chrome);
    client.views.set(view.id, view);
    chrome?.views.add(view);
    return view;
  }

  /** Makes a session on a target and tells the client of it. */
  attachTo(parent: View, tab: Tab, type: "page" | "tab", automatic = false): View {
    const view = this.make(type, parent, tab, type === "page" ? tab.main : undefined);
    view.isAutomatic = automatic;
    // A page that is new to everyone is looked at as it is, without a word from us.
    if (type === "page" && automatic && this.isFresh(tab, view)) view.state = "live";
    this.tellAttached(parent, view, type === "page" ? pageInfo(tab, true) : tabInfo(tab, true));
    if (view.state === "live" && type === "page") this.relay.onLive(view);
    return view;
  }

  attachToBrowser(parent: View): View {
    const view = this.make("browser", parent, undefined, undefined);
    this.tellAttached(parent, view, browserInfo());
    return view;
  }

  attachToChild(parent: View, child: ChromeSession): View {
    const view = this.make("child", parent, child.tab, child);
    this.tellAttached(parent, view, child.targetInfo);
    return view;
  }

  private tellAttached(parent: View, view: View, targetInfo: object): void {
    parent.emit("Target.attachedToTarget", { sessionId: view.id, targetInfo, waitingForDebugger: false });
  }

  private isFresh(tab: Tab, view: View): boolean {
    return tab.attachment === "attached" && this.fresh.get(tab)?.has(view.client) === true;
  }

  announce(client: Client, tab: Tab, isNew = false): void {
    if (isNew && !this.fresh.get(tab)?.add(client)) this.fresh.set(tab, new Set([client]));
    for (const view of [...client.views.values()]) {
      if (view.kind !== "browser") continue;
      for (const info of [tabInfo(tab, false), pageInfo(tab, false)])
        if (view.discover && passes(view.discover, info.type))
          view.emit("Target.targetCreated", { targetInfo: info });
      this.attachView(view, tab);
    }
  }

  /** Attaches a view that wants all targets to those of one tab. */
  attachView(view: View, tab: Tab): void {
    for (const type of ["tab", "page"] as const) {
      const known = [...view.children].some(
        (each) => each.tab === tab && each.kind === type && each.isAutomatic,
      );
      if (!known && wantsTarget(view, type)) this.attachTo(view, tab, type, true);
    }
  }

  /** Takes a session away from a client, with those below it. */
  dropView(view: View, tell: boolean): void {
    if (view.gone) return;
    for (const child of [...view.children]) this.dropView(child, tell);
    const { parent, chrome, tab, client } = view;
    for (const { id } of view.queue)
      view.fail(id, { code: TARGET_CLOSED, message: "Target closed: the tab or its session is gone" });
    view.gone = true;
    client.views.delete(view.id);
    parent?.children.delete(view);
    if (tell && parent && !parent.gone)
      parent.emit("Target.detachedFromTarget", {
        sessionId: view.id,
        targetId: targetIdOf(view),
      });
    if (!chrome || !tab) return;
    chrome.views.delete(view);
    if (chrome.waiters.delete(view)) this.releaseUnclaimed(chrome);
    if (this.relay.tabs.get(tab.tabId) === tab) {
      this.undo(view, chrome);
      this.relay.noteUsage(tab);
      if (view.kind === "page") this.relay.detachIfUnused(tab);
    }
  }

  /** What one view set up does not outlive it, when others stay. */
  private undo(view: View, chrome: ChromeSession): void {
    if (view.state !== "live" || ![...chrome.views].some(({ state }) => state !== "lazy")) return;
    for (const identifier of view.scripts.values())
      this.relay.command(
        chrome,
        "Page.removeScriptToEvaluateOnNewDocument",
        JSON.stringify({ identifier }),
        () => {},
      );
    for (const objectId of chrome.objects.leave(view))
      this.relay.command(chrome, "Runtime.releaseObject", JSON.stringify({ objectId }), () => {});
    if (view.domains.has("Fetch")) {
      const others = [...chrome.views].some(({ domains }) => domains.has("Fetch"));
      if (others)
        this.relay.command(
          chrome,
          "Fetch.enable",
          JSON.stringify(this.relay.fetchPatterns(chrome)),
          () => {},
        );
      else this.relay.command(chrome, "Fetch.disable", "{}", () => {});
    }
  }

  /** A frame or worker is gone, with those inside it. */
  dropChild(tab: Tab, sessionId: string): void {
    const child = tab.children.get(sessionId);
    if (!child) return;
    tab.children.delete(sessionId);
    for (const [id, each] of [...tab.children]) if (each.parent === child) this.dropChild(tab, id);
    for (const view of [...child.views]) this.dropView(view, true);
  }

  childTarget(targetId: string): ChromeSession | undefined {
    for (const { children } of this.relay.tabs.values())
      for (const child of children.values()) if (child.targetInfo.targetId === targetId) return child;
    return undefined;
  }

  /** Lets a frame or worker run that waits for a debugger, when nobody is left whom it could wait for. */
  releaseUnclaimed(child: ChromeSession | undefined): void {
    if (!child || child.waiters.size > 0) return;
    if ([...(child.parent?.views ?? [])].some(({ state }) => state === "going")) return;
    this.relay.command(child, "Runtime.runIfWaitingForDebugger", "{}", () => {});
  }

  isViewed(view: View, tab: Tab): boolean {
    return [...view.client.views.values()].some((each) => each.tab === tab);
  }
}

function targetIdOf({ kind, tab, chrome }: View): string {
  if (kind === "child") return String(chrome?.targetInfo.targetId);
  if (!tab) return BROWSER_TARGET_ID;
  return kind === "tab" ? tabInfo(tab, false).targetId : tab.targetId;
}
