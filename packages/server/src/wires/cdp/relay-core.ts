import type { ExtensionEvent, ExtensionTab } from "@debug-bridge/protocol";
import { type Done, ExtensionDesk } from "../extension/desk.js";
import { readFromExtension } from "../extension/read.js";
import { onChromeEvent } from "./chrome-events.js";
import { Client } from "./client.js";
import { Downloads } from "./downloads.js";
import { goLive } from "./go-live.js";
import { answerLazily, returnToLazy, tellLoaded, tellNavigation, wantsTarget } from "./lazy.js";
import { runLive } from "./live.js";
import {
  type CdpFailure,
  type CdpMessage,
  failure,
  METHOD_NOT_FOUND,
  type Params,
  readMessage,
  SESSION_GONE,
} from "./messages.js";
import { resync } from "./resync.js";
import { runRoot } from "./root.js";
import { type ChromeSession, Tab } from "./tab.js";
import { pageInfo, passes, type TargetInfo, tabInfo } from "./targets.js";
import { View, type ViewKind } from "./view.js";

/** What happens to tabs, for the rest of the hub. */
export interface TabEvent {
  readonly type: "opened" | "updated" | "attached" | "detached" | "closed";
  readonly tab: TabSummary;
}

export interface TabSummary {
  readonly tabId: number;
  readonly targetId: string;
  readonly url: string;
  readonly title: string;
  readonly attached: boolean;
  /** The clients that work in it. */
  readonly clients: readonly string[];
}

/** What the relay needs of the world. */
export interface RelayPorts {
  now(): number;
  copyFile(from: string, to: string): Promise<void>;
  /** Something was done or refused. */
  onAudit(who: string, what: string, outcome: string, target?: string): void;
  onTab(event: TabEvent): void;
}

/** A client that comes before the browser waits for it this long before it hears that there are no tabs. */
const EARLY_MS = 3_000;
const REFUSALS = new Set(["read_only", "forbidden_origin", "not_supported", "auth_required"]);

/**
 * The relay without its sockets: who is connected, which tabs there are, which client sees what. Text comes in, text
 * goes out; time is asked for, never waited for.
 */
export class RelayCore {
  readonly desk: ExtensionDesk;
  readonly tabs = new Map<number, Tab>();
  readonly byTarget = new Map<string, Tab>();
  readonly clients = new Set<Client>();
  readonly downloads = new Downloads(this);
  /** Sessions whose contexts are reported again, with those that were. */
  readonly seenAgain = new Map<ChromeSession, Set<number>>();
  private hello: Params = {};
  private creating = 0;
  private heldOpened: ExtensionTab[] = [];
  private early = new Map<Client, { until: number; messages: CdpMessage[] }>();
  private activity = 0;
  private nextClient = 1;

  constructor(private readonly ports: RelayPorts) {
    this.desk = new ExtensionDesk(() => ports.now());
  }

  now(): number {
    return this.ports.now();
  }

  copyFile(from: string, to: string): Promise<void> {
    return this.ports.copyFile(from, to);
  }

  // --- the extension

  extensionConnected(send: (text: string) => void): void {
    this.desk.connect(send);
    this.desk.askFirst("listTabs", "{}", (outcome) => {
      if (outcome.ok) this.reconcile(JSON.parse(outcome.body) as ExtensionTab[]);
    });
  }

  extensionLost(reason: string): void {
    this.creating = 0;
    this.heldOpened = [];
    this.seenAgain.clear();
    this.desk.lose(reason);
  }

  /** One frame of the extension; throws what is wrong with it. */
  extensionText(text: string): void {
    const message = readFromExtension(text);
    if (message.kind === "reply") this.desk.answer(message.id, message.ok, message.body);
    else if (message.kind === "cdp") {
      const tab = this.tabs.get(message.tabId);
      if (tab && tab.attachment !== "none")
        onChromeEvent(this, tab, message.child, message.method, message.params);
    } else this.onExtensionEvent(message.event);
  }

  private onExtensionEvent(event: Exclude<ExtensionEvent, { method: "cdpEvent" }>): void {
    switch (event.method) {
      case "hello":
        this.hello = event.params;
        return;
      case "tabOpened":
        if (this.creating > 0) this.heldOpened.push(event.params.tab);
        else this.addTab(event.params.tab);
        return;
      case "tabClosed": {
        const tab = this.tabs.get(event.params.tabId);
        if (tab) this.removeTab(tab);
        return;
      }
      case "tabUpdated":
        this.updateTab(event.params);
        return;
      case "tabDetached": {
        // "Cancel" in Chrome's bar detaches every tab, whichever it names.
        const all = event.params.reason === "canceled_by_user";
        for (const tab of this.tabs.values())
          if (all || tab.tabId === event.params.tabId) this.tabDetached(tab);
      }
    }
  }

  /** Takes over what the extension says of its tabs, at the start and whenever it comes back. */
  private reconcile(list: readonly ExtensionTab[]): void {
    const listed = new Map(list.map((each) => [each.tabId, each]));
    let open = 1;
    const closeOne = (): void => {
      if (--open > 0) return;
      this.desk.open();
      for (const client of [...this.early.keys()]) this.releaseEarly(client);
    };
    for (const tab of [...this.tabs.values()]) {
      const now = listed.get(tab.tabId);
      if (!now || (now.targetId !== undefined && now.targetId !== tab.targetId)) this.removeTab(tab);
    }
    for (const info of list) {
      const tab = this.tabs.get(info.tabId);
      if (!tab) this.addTab(info);
      else if (tab.attachment === "attached" && info.attached) {
        open++;
        this.updateTab(info);
        resync(this, tab, closeOne);
        continue;
      } else {
        this.updateTab(info);
        if (tab.attachment !== "none") this.tabDetached(tab);
      }
      if (info.attached) this.desk.askFirst("detachTab", JSON.stringify({ tabId: info.tabId }), () => {});
    }
    closeOne();
  }

  // --- tabs

  private addTab(info: ExtensionTab): void {
    if (this.tabs.has(info.tabId)) return;
    const opener = info.openerTabId === undefined ? undefined : this.tabs.get(info.openerTabId);
    const tab = new Tab(info);
    tab.openerId = opener?.targetId;
    this.tabs.set(tab.tabId, tab);
    this.byTarget.set(tab.targetId, tab);
    this.noteTab("opened", tab);
    const near = opener
      ? [...this.clients].filter((client) =>
          [...client.views.values()].some(
            (view) => view.tab === opener && view.kind === "page" && view.state === "live",
          ),
        )
      : [];
    for (const client of this.clients) if (!near.includes(client)) this.announce(client, tab);
    // What a page opens belongs to whoever works in that page: it is theirs from its first moment.
    if (near.length > 0)
      this.attach(tab, () => {
        for (const client of near) this.announce(client, tab, true);
      });
  }

  private updateTab(change: {
    tabId: number;
    url?: string | undefined;
    title?: string | undefined;
    status?: "loading" | "complete" | undefined;
  }): void {
    const tab = this.tabs.get(change.tabId);
    if (!tab) return;
    const moved = change.url !== undefined && change.url !== tab.url;
    const begins = change.status === "loading" && tab.status === "complete";
    const ends = change.status === "complete" && tab.status !== "complete";
    tab.url = change.url ?? tab.url;
    const retitled = change.title !== undefined && change.title !== tab.title;
    tab.title = change.title ?? tab.title;
    tab.status = change.status ?? tab.status;
    if (moved || begins) tab.navigations++;
    for (const view of tab.main.views) {
      if (view.state !== "lazy") continue;
      if (moved || begins) tellNavigation(view);
      if (ends) tellLoaded(view);
    }
    if (moved || retitled) {
      this.eachDiscoverer((view) => {
        for (const info of [tabInfo(tab, this.isViewed(view, tab)), pageInfo(tab, this.isViewed(view, tab))])
          if (passes(view.discover ?? [], info.type))
            view.emit("Target.targetInfoChanged", { targetInfo: info });
      });
      this.noteTab("updated", tab);
    }
  }

  removeTab(tab: Tab): void {
    if (this.tabs.get(tab.tabId) !== tab) return;
    this.tabs.delete(tab.tabId);
    this.byTarget.delete(tab.targetId);
    for (const child of [...tab.children.keys()]) this.dropChild(tab, child);
    for (const client of this.clients) {
      for (const view of [...client.views.values()])
        if (view.tab === tab && view.kind === "page") this.dropView(view, true);
      for (const view of [...client.views.values()]) if (view.tab === tab) this.dropView(view, true);
    }
    this.eachDiscoverer((view) => {
      for (const { targetId, type } of [pageInfo(tab, false), tabInfo(tab, false)])
        if (passes(view.discover ?? [], type)) view.emit("Target.targetDestroyed", { targetId });
    });
    tab.attachment = "none";
    const { waitingForAttach } = tab;
    tab.waitingForAttach = [];
    for (const run of waitingForAttach) run(this.lostError(tab));
    this.noteTab("closed", tab);
  }

  /** The debugger has left a tab that is still there. */
  private tabDetached(tab: Tab): void {
    if (tab.attachment === "none") return;
    tab.attachment = "none";
    for (const child of [...tab.children.keys()]) this.dropChild(tab, child);
    for (const view of tab.main.views) returnToLazy(view);
    tab.main.reset();
    this.noteTab("detached", tab);
    this.noteUsage(tab);
  }

  createTab(
    view: View,
    url: string,
    background: boolean,
    done: (tab: Tab | undefined, error?: CdpFailure) => void,
  ): void {
    this.creating++;
    this.noteAct(view, "Target.createTarget", url);
    const sessionId = view.client.newSessionId();
    this.desk.ask("createTab", JSON.stringify({ url, sessionId, background }), (outcome) => {
      if (this.creating > 0) this.creating--;
      const held = this.heldOpened;
      this.heldOpened = [];
      if (!outcome.ok) {
        for (const info of held) this.addTab(info);
        this.noteRefusal(view, "Target.createTarget", outcome.error);
        done(undefined, outcome.error);
        return;
      }
      const info = JSON.parse(outcome.body) as ExtensionTab;
      for (const other of held) if (other.tabId !== info.tabId) this.addTab(other);
      const tab = new Tab(info);
      tab.attachment = "attached";
      this.tabs.set(tab.tabId, tab);
      this.byTarget.set(tab.targetId, tab);
      this.noteTab("opened", tab);
      this.noteTab("attached", tab);
      this.announce(view.client, tab, true);
      done(tab);
      // The others know it from outside, as any other tab.
      for (const client of this.clients) if (client !== view.client) this.announce(client, tab);
    });
  }

  // --- attaching

  /** Attaches the debugger, once; `done` is called in this very turn when it is there already. */
  attach(tab: Tab, done: (error?: CdpFailure) => void): void {
    if (tab.attachment === "attached") {
      done();
      return;
    }
    tab.waitingForAttach.push(done);
    if (tab.attachment === "attaching") return;
    tab.attachment = "attaching";
    const params = JSON.stringify({ tabId: tab.tabId, sessionId: `tab-${tab.tabId}` });
    this.desk.ask("attachTab", params, (outcome) => {
      if (this.tabs.get(tab.tabId) !== tab) return;
      tab.attachment = outcome.ok ? "attached" : "none";
      if (outcome.ok) this.noteTab("attached", tab);
      else tab.main.reset();
      const { waitingForAttach } = tab;
      tab.waitingForAttach = [];
      for (const run of waitingForAttach) run(outcome.ok ? undefined : outcome.error);
    });
  }

  /** A tab that nobody works in any more is let go of: Chrome forgets all that was set up in it. */
  detachIfUnused(tab: Tab): void {
    if (tab.attachment !== "attached" || this.tabs.get(tab.tabId) !== tab) return;
    if ([...tab.main.views].some(({ state }) => state !== "lazy")) return;
    if ([...tab.children.values()].some(({ views }) => views.size > 0)) return;
    tab.attachment = "none";
    for (const child of [...tab.children.keys()]) this.dropChild(tab, child);
    tab.main.reset();
    this.desk.ask("detachTab", JSON.stringify({ tabId: tab.tabId }), () => {});
    this.noteTab("detached", tab);
    this.noteUsage(tab);
  }

  /** A command to Chrome. */
  command(chrome: ChromeSession, method: string, params: string, done: Done, plain = false): void {
    this.desk.ask("cdpCommand", commandText(chrome, method, params, plain), done);
  }

  commandFirst(chrome: ChromeSession, method: string, params: string, done: Done): void {
    this.desk.askFirst("cdpCommand", commandText(chrome, method, params, false), done);
  }

  /** What all views together want paused. */
  fetchPatterns(chrome: ChromeSession): Params {
    const wanted: Params[] = [...chrome.views]
      .filter((view) => view.state !== "lazy" && view.domains.has("Fetch"))
      .map((view) => view.setUp.get("Fetch.enable")?.params ?? {});
    if (wanted.length === 1) return wanted[0] as Params;
    const all = wanted.some(({ patterns }) => !Array.isArray(patterns));
    return {
      handleAuthRequests: wanted.some(({ handleAuthRequests }) => handleAuthRequests === true),
      patterns: all ? [{ urlPattern: "*" }] : wanted.flatMap(({ patterns }) => patterns as Params[]),
    };
  }

  // --- clients

  connect(name: string, send: (text: string) => void): Client {
    const client = new Client(`c${this.nextClient++}`, name, send);
    this.clients.add(client);
    if (!this.desk.ready) this.early.set(client, { until: this.now() + EARLY_MS, messages: [] });
    return client;
  }

  disconnect(client: Client): void {
    this.clients.delete(client);
    this.early.delete(client);
    const tabs = new Set<Tab>();
    for (const view of [...client.views.values()]) {
      if (view.tab) tabs.add(view.tab);
      this.dropView(view, false);
    }
    for (const tab of tabs) this.detachIfUnused(tab);
  }

  /** One frame of a client; throws what is wrong with it. */
  clientText(client: Client, text: string): void {
    this.receive(client, readMessage(text));
  }

  receive(client: Client, message: CdpMessage): void {
    const early = this.early.get(client);
    if (early) {
      early.messages.push(message);
      return;
    }
    const view = client.views.get(message.sessionId);
    if (view) this.dispatch(view, message);
    else {
      const error = { code: SESSION_GONE, message: "Session with given id not found." };
      client.send(JSON.stringify({ id: message.id, error, sessionId: message.sessionId }));
    }
  }

  dispatch(view: View, message: CdpMessage): void {
    view.lastActive = ++this.activity;
    if (view.kind === "browser") runRoot(this, view, message);
    else if (view.kind === "tab") this.runTab(view, message);
    else if (view.state === "live") this.runPage(view, message);
    else if (view.state === "going") view.queue.push(message);
    else if (message.method.startsWith("Browser.")) runRoot(this, view.client.root, message, view);
    else if (message.method === "Target.getTargetInfo") runRoot(this, view.client.root, message, view);
    else if (!view.isAutomatic || !answerLazily(view, message)) {
      view.queue.push(message);
      goLive(this, view);
    }
  }

  private runPage(view: View, message: CdpMessage): void {
    if (message.method.startsWith("Browser.")) runRoot(this, view.client.root, message, view);
    else runLive(this, view, message);
  }

  runRoot(view: View, message: CdpMessage, asker: View): void {
    runRoot(this, view, message, asker);
  }

  /** The target around a page has one thing to say: which page is in it. */
  private runTab(view: View, message: CdpMessage): void {
    const { id, method, params } = message;
    if (method === "Target.setAutoAttach") {
      view.autoAttach = params.autoAttach === true ? [{}] : undefined;
      if (view.autoAttach && view.tab && view.children.size === 0)
        this.attachTo(view, view.tab, "page", true);
      view.reply(id);
    } else if (method === "Target.detachFromTarget" || method === "Target.getTargetInfo") {
      runRoot(this, view.client.root, message, view);
    } else if (method === "Runtime.runIfWaitingForDebugger" || method.startsWith("Network.")) view.reply(id);
    else view.fail(id, { code: METHOD_NOT_FOUND, message: `'${method}' wasn't found` });
  }

  /** Gives up on those that have waited too long. To be called a few times a second. */
  expire(): void {
    this.desk.expire();
    for (const [client, { until }] of this.early) if (until <= this.now()) this.releaseEarly(client);
  }

  private releaseEarly(client: Client): void {
    const early = this.early.get(client);
    this.early.delete(client);
    for (const message of early?.messages ?? []) this.receive(client, message);
  }

  // --- views

  makeView(kind: ViewKind, parent: View, tab: Tab | undefined, chrome: ChromeSession | undefined): View {
    const { client } = parent;
    const view = new View(kind, client.newSessionId(), client, parent, tab, chrome);
    client.views.set(view.id, view);
    chrome?.views.add(view);
    return view;
  }

  /** Makes a session on a target and tells the client of it. */
  attachTo(parent: View, tab: Tab, type: "page" | "tab", automatic = false): View {
    const view = this.makeView(type, parent, tab, type === "page" ? tab.main : undefined);
    view.isAutomatic = automatic;
    // A page that is new to everyone is looked at as it is, without a word from us.
    if (type === "page" && automatic && this.isFresh(tab, view)) view.state = "live";
    const info = type === "page" ? pageInfo(tab, true) : tabInfo(tab, true);
    parent.emit("Target.attachedToTarget", {
      sessionId: view.id,
      targetInfo: info,
      waitingForDebugger: false,
    });
    if (view.state === "live" && type === "page") this.noteUsage(tab);
    return view;
  }

  private isFresh(tab: Tab, view: View): boolean {
    return tab.attachment === "attached" && this.fresh.get(tab)?.has(view.client) === true;
  }

  /** Tabs that a client has just opened, or a page that it works in, until it knows them. */
  private readonly fresh = new WeakMap<Tab, Set<Client>>();

  private announce(client: Client, tab: Tab, isNew = false): void {
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
      view.fail(id, { code: SERVER_CLOSED, message: "Target closed: the tab or its session is gone" });
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
    if (this.tabs.get(tab.tabId) === tab) {
      this.undo(view, chrome);
      this.noteUsage(tab);
      if (view.kind === "page") this.detachIfUnused(tab);
    }
  }

  /** What one view set up does not outlive it, when others stay. */
  private undo(view: View, chrome: ChromeSession): void {
    if (view.state !== "live" || ![...chrome.views].some(({ state }) => state !== "lazy")) return;
    for (const identifier of view.scripts.values())
      this.command(
        chrome,
        "Page.removeScriptToEvaluateOnNewDocument",
        JSON.stringify({ identifier }),
        () => {},
      );
    if (view.domains.has("Fetch")) {
      const others = [...chrome.views].some(({ domains }) => domains.has("Fetch"));
      if (others) this.command(chrome, "Fetch.enable", JSON.stringify(this.fetchPatterns(chrome)), () => {});
      else this.command(chrome, "Fetch.disable", "{}", () => {});
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
    for (const { children } of this.tabs.values())
      for (const child of children.values()) if (child.targetInfo.targetId === targetId) return child;
    return undefined;
  }

  /** Lets a frame or worker run that waits for a debugger, when nobody is left whom it could wait for. */
  releaseUnclaimed(child: ChromeSession | undefined): void {
    if (!child || child.waiters.size > 0) return;
    if ([...(child.parent?.views ?? [])].some(({ state }) => state === "going")) return;
    this.command(child, "Runtime.runIfWaitingForDebugger", "{}", () => {});
  }

  // --- what others want to know

  version(): object {
    const product = typeof this.hello.product === "string" ? this.hello.product : "Chrome/150.0.0.0";
    const userAgent =
      typeof this.hello.userAgent === "string" ? this.hello.userAgent : `Mozilla/5.0 ${product}`;
    return { protocolVersion: "1.3", product, revision: "@debug-bridge", userAgent, jsVersion: "" };
  }

  targetInfos(): TargetInfo[] {
    return [...this.tabs.values()].map((tab) => pageInfo(tab, tab.attachment === "attached"));
  }

  tabSummaries(): TabSummary[] {
    return [...this.tabs.values()].map((tab) => this.summary(tab));
  }

  onLive(view: View): void {
    if (view.tab) this.noteUsage(view.tab);
  }

  lostError(tab: Tab): CdpFailure {
    return failure("target_not_found", `the tab "${tab.title.slice(0, 60)}" was lost; look for it anew`);
  }

  noteAct(view: View, what: string, target: string): void {
    this.ports.onAudit(`cdp:${view.client.name}`, what, "asked", target.slice(0, 500));
  }

  noteRefusal(view: View, what: string, { message, data }: CdpFailure): void {
    if (typeof data === "string" && REFUSALS.has(data))
      this.ports.onAudit(`cdp:${view.client.name}`, what, `${data}: ${message}`);
  }

  private summary(tab: Tab): TabSummary {
    const { tabId, targetId, url, title, attachment } = tab;
    const users = [...tab.main.views]
      .filter(({ state }) => state !== "lazy")
      .map(({ client }) => client.name);
    return { tabId, targetId, url, title, attached: attachment === "attached", clients: [...new Set(users)] };
  }

  private noteTab(type: TabEvent["type"], tab: Tab): void {
    this.ports.onTab({ type, tab: this.summary(tab) });
  }

  private noteUsage(tab: Tab): void {
    const { clients } = this.summary(tab);
    const usage = JSON.stringify(clients);
    if (tab.usage === usage || (tab.usage === "" && clients.length === 0)) return;
    tab.usage = usage;
    this.desk.tell("tabUsage", { tabId: tab.tabId, clients });
  }

  private eachDiscoverer(run: (view: View) => void): void {
    for (const client of this.clients)
      for (const view of client.views.values()) if (view.kind === "browser" && view.discover) run(view);
  }

  private isViewed(view: View, tab: Tab): boolean {
    return [...view.client.views.values()].some((each) => each.tab === tab);
  }
}

const SERVER_CLOSED = -32_000;

function commandText(chrome: ChromeSession, method: string, params: string, plain: boolean): string {
  const child = chrome.id === undefined ? "" : `"childSessionId":${JSON.stringify(chrome.id)},`;
  return `{"tabId":${chrome.tab.tabId},${child}"method":"${method}","params":${params}${plain ? ',"plain":true' : ""}}`;
}

function targetIdOf({ kind, tab, chrome }: View): string {
  if (kind === "child") return String(chrome?.targetInfo.targetId);
  if (!tab) return "";
  return kind === "tab" ? tabInfo(tab, false).targetId : tab.targetId;
}
