import type { ExtensionTab, TabAccess } from "@debug-bridge/protocol";
import type { ClientSession } from "../clients/client-session.js";
import type { RelayCore } from "../relay-core.js";
import { resync } from "../session/resync.js";
import { emitLoaded, emitNavigation, returnToLazy } from "../session/synthetic-replies.js";
import { pageInfo, passes, tabInfo } from "../targets/target-info.js";
import type { CdpFailure } from "../wire/messages.js";
import type { LossReason } from "./sharing.js";
import { Tab } from "./tab.js";

/** How long a tab may take to appear after its page announced it. */
const OPENING_TIMEOUT_MS = 3_000;

/** The tabs of the browser. Keeps the relay's list up to date and reports changes to the clients. */
export class TabRegistry {
  private creating = 0;
  private heldOpened: ExtensionTab[] = [];
  private opening: { tab: Tab; at: number }[] = [];

  constructor(private readonly relay: RelayCore) {}

  /** The extension is gone: tabs that it was about to open will not be reported. */
  onExtensionLost(): void {
    this.creating = 0;
    this.heldOpened = [];
  }

  /** The extension reports a tab. While one is being created, it may be that one, and waits. */
  opened(tab: ExtensionTab): void {
    if (this.creating > 0) this.heldOpened.push(tab);
    else this.addTab(tab);
  }

  /** Adopts the extension's list of tabs, at the start and whenever it comes back. */
  reconcile(list: readonly ExtensionTab[]): void {
    const listed = new Map(list.map((each) => [each.tabId, each]));
    let open = 1;
    const closeOne = (): void => {
      if (--open > 0) return;
      this.relay.ready();
    };
    for (const tab of [...this.relay.tabs.values()]) {
      const now = listed.get(tab.tabId);
      if (!now || (now.targetId !== undefined && now.targetId !== tab.targetId)) this.removeTab(tab);
    }
    for (const info of list) {
      const tab = this.relay.tabs.get(info.tabId);
      if (!tab) this.addTab(info);
      else if (tab.attachment === "attached" && info.attached) {
        open++;
        this.updateTab(info);
        resync(this.relay, tab, closeOne);
        continue;
      } else {
        this.updateTab(info);
        if (tab.attachment !== "none") this.detached(tab);
      }
      if (info.attached)
        this.relay.extension.requestFirst("detachTab", JSON.stringify({ tabId: info.tabId }), () => {});
    }
    closeOne();
  }

  addTab(info: ExtensionTab): void {
    if (this.relay.tabs.has(info.tabId)) return;
    const opener = this.openerOf(info);
    const tab = new Tab(info);
    tab.openerId = opener?.targetId;
    this.relay.tabs.set(tab.tabId, tab);
    this.relay.byTarget.set(tab.targetId, tab);
    this.relay.sharing.onTabShared();
    this.relay.usage.reportTab("opened", tab);
    const near = opener
      ? [...this.relay.clients].filter((client) =>
          [...client.sessions.values()].some(
            (session) => session.tab === opener && session.kind === "page" && session.isAttached,
          ),
        )
      : [];
    for (const client of this.relay.clients)
      if (!near.includes(client)) this.relay.sessions.announce(client, tab);
    // A tab that a page opens belongs to the clients of that page from its first moment.
    if (near.length > 0)
      this.relay.attachments.attach(tab, () => {
        for (const client of near) this.relay.sessions.announce(client, tab, true);
      });
  }

  /** A page that a client works in is about to open a tab. */
  windowOpened(tab: Tab): void {
    this.opening.push({ tab, at: this.relay.now() });
  }

  /**
   * The tab whose page opened another one. Chrome names the one that was in front, which is another when the page works
   * in the background; the page itself has announced it just before.
   */
  private openerOf({ openerTabId }: ExtensionTab): Tab | undefined {
    const since = this.relay.now() - OPENING_TIMEOUT_MS;
    this.opening = this.opening.filter(
      ({ tab, at }) => at >= since && this.relay.tabs.get(tab.tabId) === tab,
    );
    const announced = this.opening.shift();
    if (announced) return announced.tab;
    const named = openerTabId === undefined ? undefined : this.relay.tabs.get(openerTabId);
    return named?.attachment === "attached" ? undefined : named;
  }

  updateTab(change: {
    tabId: number;
    url?: string | undefined;
    title?: string | undefined;
    status?: "loading" | "complete" | undefined;
    active?: boolean | undefined;
    access?: TabAccess | undefined;
  }): void {
    const tab = this.relay.tabs.get(change.tabId);
    if (!tab) return;
    const moved = change.url !== undefined && change.url !== tab.url;
    const begins = change.status === "loading" && tab.status === "complete";
    const ends = change.status === "complete" && tab.status !== "complete";
    tab.url = change.url ?? tab.url;
    const retitled = change.title !== undefined && change.title !== tab.title;
    tab.title = change.title ?? tab.title;
    tab.status = change.status ?? tab.status;
    const fronted = change.active !== undefined && change.active !== tab.active;
    tab.active = change.active ?? tab.active;
    tab.access = change.access ?? tab.access;
    if (moved || begins) tab.navigations++;
    for (const session of tab.main.sessions) {
      if (session.usesPage) continue;
      if (moved || begins) emitNavigation(session);
      if (ends) emitLoaded(session);
    }
    if (moved || retitled) {
      this.relay.eachDiscoverer((session) => {
        const viewed = this.relay.sessions.isAttached(session, tab);
        // The page first: who waits for an address takes the first target that has it.
        for (const info of [pageInfo(tab, viewed), tabInfo(tab, viewed)])
          if (passes(session.wants.discover ?? [], info.type))
            session.emit("Target.targetInfoChanged", { targetInfo: info });
      });
    }
    if (moved || retitled || fronted || change.access) this.relay.usage.reportTab("updated", tab);
  }

  removeTab(tab: Tab, reason?: LossReason): void {
    if (this.relay.tabs.get(tab.tabId) !== tab) return;
    tab.lossReason = reason;
    this.relay.tabs.delete(tab.tabId);
    this.relay.byTarget.delete(tab.targetId);
    for (const child of [...tab.children.keys()]) this.relay.sessions.dropChild(tab, child);
    for (const client of this.relay.clients) {
      for (const session of [...client.sessions.values()])
        if (session.tab === tab && session.kind === "page") {
          if (reason) this.relay.sharing.onLost(client, session.id, reason);
          this.relay.sessions.drop(session, true);
        }
      for (const session of [...client.sessions.values()])
        if (session.tab === tab) this.relay.sessions.drop(session, true);
    }
    this.relay.eachDiscoverer((session) => {
      for (const { targetId, type } of [pageInfo(tab, false), tabInfo(tab, false)])
        if (passes(session.wants.discover ?? [], type)) session.emit("Target.targetDestroyed", { targetId });
    });
    tab.attachment = "none";
    const { waitingForAttach } = tab;
    tab.waitingForAttach = [];
    for (const run of waitingForAttach) run(this.relay.attachments.lostError(tab));
    this.relay.usage.reportTab("closed", tab);
  }

  /** The debugger has left a tab that is still there. */
  detached(tab: Tab): void {
    if (tab.attachment === "none") return;
    tab.attachment = "none";
    for (const child of [...tab.children.keys()]) this.relay.sessions.dropChild(tab, child);
    for (const session of [...tab.main.sessions]) {
      // A part of the hub opens a new session; a client on a socket would not know how to.
      if (session.client.isInside && session.usesPage) this.relay.sessions.drop(session, true);
      else returnToLazy(session);
    }
    tab.main.reset();
    this.relay.usage.reportTab("detached", tab);
    this.relay.usage.reportUsage(tab);
  }

  createTab(
    session: ClientSession,
    url: string,
    background: boolean,
    done: (tab: Tab | undefined, error?: CdpFailure) => void,
  ): void {
    this.creating++;
    const sessionId = session.client.newSessionId();
    this.relay.extension.request(
      "createTab",
      JSON.stringify({ url, sessionId, background, client: session.client.name }),
      (outcome) => {
        if (this.creating > 0) this.creating--;
        const held = this.heldOpened;
        this.heldOpened = [];
        if (!outcome.ok) {
          for (const info of held) this.addTab(info);
          done(undefined, outcome.error);
          return;
        }
        const info = JSON.parse(outcome.body) as ExtensionTab;
        for (const other of held) if (other.tabId !== info.tabId) this.addTab(other);
        const tab = new Tab(info);
        tab.attachment = "attached";
        this.relay.tabs.set(tab.tabId, tab);
        this.relay.byTarget.set(tab.targetId, tab);
        this.relay.usage.reportTab("opened", tab);
        this.relay.sessions.announce(session.client, tab, true);
        done(tab);
        // To the other clients it is a tab like any other.
        for (const client of this.relay.clients)
          if (client !== session.client) this.relay.sessions.announce(client, tab);
      },
    );
  }
}
