import type { RelayCore } from "../relay-core.js";
import { wantsTarget } from "../session/synthetic-replies.js";
import type { ChromeSession, Tab } from "../tabs/tab.js";
import { BROWSER_TARGET_ID, browserInfo, pageInfo, passes, tabInfo } from "../targets/target-info.js";
import type { Client } from "./client.js";
import { ClientSession, type ClientSessionKind } from "./client-session.js";

const TARGET_CLOSED = -32_000;

/** The sessions of clients: creates them, announces them to their clients, and removes them. */
export class ClientSessions {
  /** Tabs that a client, or a page that it works in, has just opened. */
  private readonly fresh = new WeakMap<Tab, Set<Client>>();

  constructor(private readonly relay: RelayCore) {}

  create(
    kind: ClientSessionKind,
    parent: ClientSession,
    tab: Tab | undefined,
    chrome: ChromeSession | undefined,
  ): ClientSession {
    const { client } = parent;
    const session = new ClientSession(kind, client.newSessionId(), client, parent, tab, chrome);
    client.sessions.set(session.id, session);
    chrome?.sessions.add(session);
    return session;
  }

  /** Creates a session on a target and announces it to the client. */
  attachTo(parent: ClientSession, tab: Tab, type: "page" | "tab", automatic = false): ClientSession {
    const session = this.create(type, parent, tab, type === "page" ? tab.main : undefined);
    session.isAutomatic = automatic;
    // A page that is new to everyone needs no synthetic replies: the debugger is attached already.
    if (type === "page" && automatic && this.isFresh(tab, session)) session.startAttached();
    this.emitAttached(parent, session, type === "page" ? pageInfo(tab, true) : tabInfo(tab, true));
    if (session.isAttached && type === "page") this.relay.usage.onAttached(session);
    return session;
  }

  attachToBrowser(parent: ClientSession): ClientSession {
    const session = this.create("browser", parent, undefined, undefined);
    this.emitAttached(parent, session, browserInfo());
    return session;
  }

  attachToChild(parent: ClientSession, child: ChromeSession): ClientSession {
    const session = this.create("child", parent, child.tab, child);
    this.emitAttached(parent, session, child.targetInfo);
    return session;
  }

  private emitAttached(parent: ClientSession, session: ClientSession, targetInfo: object): void {
    parent.emit("Target.attachedToTarget", { sessionId: session.id, targetInfo, waitingForDebugger: false });
  }

  private isFresh(tab: Tab, session: ClientSession): boolean {
    return tab.attachment === "attached" && this.fresh.get(tab)?.has(session.client) === true;
  }

  announce(client: Client, tab: Tab, isNew = false): void {
    if (isNew && !this.fresh.get(tab)?.add(client)) this.fresh.set(tab, new Set([client]));
    for (const session of [...client.sessions.values()]) {
      if (session.kind !== "browser") continue;
      for (const info of [tabInfo(tab, false), pageInfo(tab, false)])
        if (session.wants.discover && passes(session.wants.discover, info.type))
          session.emit("Target.targetCreated", { targetInfo: info });
      this.attachAutomatically(session, tab);
    }
  }

  /** Attaches a session that wants all targets to the targets of one tab. */
  attachAutomatically(session: ClientSession, tab: Tab): void {
    for (const type of ["tab", "page"] as const) {
      const known = [...session.children].some(
        (each) => each.tab === tab && each.kind === type && each.isAutomatic,
      );
      if (!known && wantsTarget(session, type)) this.attachTo(session, tab, type, true);
    }
  }

  /** Removes a session of a client, with its children. */
  drop(session: ClientSession, announce: boolean): void {
    if (session.isDetached) return;
    for (const child of [...session.children]) this.drop(child, announce);
    const { parent, chrome, tab, client } = session;
    for (const { id } of session.queued)
      session.fail(id, { code: TARGET_CLOSED, message: "Target closed: the tab or its session is gone" });
    const wasAttached = session.isAttached;
    session.detach();
    client.sessions.delete(session.id);
    parent?.children.delete(session);
    if (announce && parent && !parent.isDetached)
      parent.emit("Target.detachedFromTarget", {
        sessionId: session.id,
        targetId: targetIdOf(session),
      });
    if (!chrome || !tab) return;
    chrome.sessions.delete(session);
    if (chrome.waiters.delete(session)) this.releaseUnclaimed(chrome);
    if (this.relay.tabs.get(tab.tabId) === tab) {
      if (wasAttached) this.undo(session, chrome);
      this.relay.usage.reportUsage(tab);
      if (session.kind === "page") this.relay.attachments.releaseIfUnused(tab);
    }
  }

  /** Removes what a session set up in a page where others stay. */
  private undo(session: ClientSession, chrome: ChromeSession): void {
    if (![...chrome.sessions].some(({ usesPage }) => usesPage)) return;
    for (const identifier of session.setUp.scripts.values())
      this.relay.command(
        chrome,
        "Page.removeScriptToEvaluateOnNewDocument",
        JSON.stringify({ identifier }),
        () => {},
      );
    for (const objectId of chrome.objects.leave(session))
      this.relay.command(chrome, "Runtime.releaseObject", JSON.stringify({ objectId }), () => {});
    if (session.setUp.domains.has("Fetch")) {
      const others = [...chrome.sessions].some(({ setUp }) => setUp.domains.has("Fetch"));
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

  /** A frame or worker is gone, with its children. */
  dropChild(tab: Tab, sessionId: string): void {
    const child = tab.children.get(sessionId);
    if (!child) return;
    tab.children.delete(sessionId);
    for (const [id, each] of [...tab.children]) if (each.parent === child) this.dropChild(tab, id);
    for (const session of [...child.sessions]) this.drop(session, true);
  }

  childTarget(targetId: string): ChromeSession | undefined {
    for (const { children } of this.relay.tabs.values())
      for (const child of children.values()) if (child.targetInfo.targetId === targetId) return child;
    return undefined;
  }

  /** Resumes a frame or worker that waits for a debugger, when no client is left that could resume it. */
  releaseUnclaimed(child: ChromeSession | undefined): void {
    if (!child || child.waiters.size > 0) return;
    if ([...(child.parent?.sessions ?? [])].some(({ isAttaching }) => isAttaching)) return;
    this.relay.command(child, "Runtime.runIfWaitingForDebugger", "{}", () => {});
  }

  isAttached(session: ClientSession, tab: Tab): boolean {
    return [...session.client.sessions.values()].some((each) => each.tab === tab);
  }
}

function targetIdOf({ kind, tab, chrome }: ClientSession): string {
  if (kind === "child") return String(chrome?.targetInfo.targetId);
  if (!tab) return BROWSER_TARGET_ID;
  return kind === "tab" ? tabInfo(tab, false).targetId : tab.targetId;
}
