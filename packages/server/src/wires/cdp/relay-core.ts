import type { ExtensionEvent, ExtensionTab } from "@debug-bridge/protocol";
import { type Done, ExtensionDesk } from "../extension/desk.js";
import { readFromExtension } from "../extension/read.js";
import { onChromeEvent } from "./chrome-events.js";
import { Client } from "./client.js";
import { Downloads } from "./downloads.js";
import { goLive } from "./go-live.js";
import { answerLazily } from "./lazy.js";
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
import { runRoot } from "./root.js";
import type { ChromeSession, Tab } from "./tab.js";
import { TabBook } from "./tab-book.js";
import { pageInfo, type TargetInfo } from "./targets.js";
import type { View } from "./view.js";
import { ViewBook } from "./view-book.js";

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
  /** Whether clients may only look. */
  readonly readOnly: boolean;
  now(): number;
  copyFile(from: string, to: string): Promise<void>;
  /** Something was done or refused. */
  onAudit(who: string, what: string, outcome: string, target?: string): void;
  onTab(event: TabEvent): void;
}

/** A client that comes before the browser waits for it this long before it hears that there are no tabs. */
const EARLY_MS = 3_000;
/** A tab that does not answer, a page in an endless loop for example, must not keep the others waiting. */
const RESYNC_MS = 1_500;
/** A browser that stays away this long is gone, with its tabs. */
const GONE_MS = 10_000;
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
  readonly book = new TabBook(this);
  readonly views = new ViewBook(this);
  readonly downloads = new Downloads(this);
  /** Sessions whose contexts are reported again, with those that were. */
  readonly seenAgain = new Map<ChromeSession, Set<number>>();
  private hello: Params = {};
  private lostAt: number | undefined;
  private openBy = 0;
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
    this.lostAt = undefined;
    this.openBy = this.now() + RESYNC_MS;
    this.desk.connect(send);
    this.desk.askFirst("listTabs", "{}", (outcome) => {
      if (outcome.ok) this.book.reconcile(JSON.parse(outcome.body) as ExtensionTab[]);
    });
  }

  extensionLost(reason: string): void {
    this.lostAt = this.now();
    this.book.lose();
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
        this.book.opened(event.params.tab);
        return;
      case "tabClosed": {
        const tab = this.tabs.get(event.params.tabId);
        if (tab) this.book.removeTab(tab);
        return;
      }
      case "tabUpdated":
        this.book.updateTab(event.params);
        return;
      case "tabDetached": {
        // "Cancel" in Chrome's bar detaches every tab, whichever it names.
        const all = event.params.reason === "canceled_by_user";
        for (const tab of this.tabs.values())
          if (all || tab.tabId === event.params.tabId) this.book.detached(tab);
      }
    }
  }

  /** Everything is known that the extension knows: what waited may go on. */
  ready(): void {
    if (this.desk.ready) return;
    this.desk.open();
    for (const client of [...this.early.keys()]) this.releaseEarly(client);
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
      if (!outcome.ok) tab.main.reset();
      const { waitingForAttach } = tab;
      tab.waitingForAttach = [];
      for (const run of waitingForAttach) run(outcome.ok ? undefined : outcome.error);
    });
  }

  /** A tab that nobody works in any more is let go of: Chrome forgets all that was set up in it. */
  detachIfUnused(tab: Tab): void {
    if (tab.attachment !== "attached" || this.tabs.get(tab.tabId) !== tab) return;
    if ([...tab.main.views].some(({ state, client }) => state !== "lazy" && !client.follows)) return;
    if ([...tab.children.values()].some(({ views }) => [...views].some(({ client }) => !client.follows)))
      return;
    this.book.detached(tab);
    this.desk.ask("detachTab", JSON.stringify({ tabId: tab.tabId }), () => {});
  }

  /** A command to Chrome. */
  command(chrome: ChromeSession, method: string, params: string, done: Done, plain = false): void {
    this.desk.ask("cdpCommand", commandText(chrome, method, params, plain ? ',"plain":true' : ""), done);
  }

  /** A command of a client; one that acts is refused where the hub only looks. */
  commandOf(view: View, chrome: ChromeSession, method: string, params: string, done: Done): void {
    const flags = this.mayAct(view) ? "" : ',"readOnly":true';
    this.desk.ask("cdpCommand", commandText(chrome, method, params, flags), done);
  }

  /** Whether a client may change anything: not with `--read-only`, which the hub's own parts see to themselves. */
  mayAct({ client }: View): boolean {
    return !this.ports.readOnly || client.isInside;
  }

  commandFirst(chrome: ChromeSession, method: string, params: string, done: Done): void {
    this.desk.askFirst("cdpCommand", commandText(chrome, method, params, ""), done);
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
      this.views.dropView(view, false);
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
        this.views.attachTo(view, view.tab, "page", true);
      view.reply(id);
    } else if (method === "Target.detachFromTarget" || method === "Target.getTargetInfo") {
      runRoot(this, view.client.root, message, view);
    } else if (method === "Runtime.runIfWaitingForDebugger" || method.startsWith("Network.")) view.reply(id);
    else view.fail(id, { code: METHOD_NOT_FOUND, message: `'${method}' wasn't found` });
  }

  /** Gives up on those that have waited too long. To be called a few times a second. */
  expire(): void {
    if (this.desk.connected && !this.desk.ready && this.openBy < this.now()) this.ready();
    this.desk.expire();
    for (const [client, { until }] of this.early) if (until <= this.now()) this.releaseEarly(client);
    if (this.lostAt !== undefined && this.now() - this.lostAt > GONE_MS) {
      this.lostAt = undefined;
      for (const tab of [...this.tabs.values()]) this.book.removeTab(tab);
    }
  }

  private releaseEarly(client: Client): void {
    const early = this.early.get(client);
    this.early.delete(client);
    for (const message of early?.messages ?? []) this.receive(client, message);
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

  /** A client works in a tab from now on. */
  onLive({ tab, client }: View): void {
    if (!tab) return;
    if (!client.follows) this.noteTab("attached", tab);
    this.noteUsage(tab);
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
      .filter(({ state, client }) => state !== "lazy" && !client.follows)
      .map(({ client }) => client.name);
    return { tabId, targetId, url, title, attached: attachment === "attached", clients: [...new Set(users)] };
  }

  noteTab(type: TabEvent["type"], tab: Tab): void {
    this.ports.onTab({ type, tab: this.summary(tab) });
  }

  noteUsage(tab: Tab): void {
    const { clients } = this.summary(tab);
    const usage = JSON.stringify(clients);
    if (tab.usage === usage || (tab.usage === "" && clients.length === 0)) return;
    tab.usage = usage;
    this.desk.tell("tabUsage", { tabId: tab.tabId, clients });
  }

  eachDiscoverer(run: (view: View) => void): void {
    for (const client of this.clients)
      for (const view of client.views.values()) if (view.kind === "browser" && view.discover) run(view);
  }
}

function commandText(chrome: ChromeSession, method: string, params: string, flags: string): string {
  const child = chrome.id === undefined ? "" : `"childSessionId":${JSON.stringify(chrome.id)},`;
  return `{"tabId":${chrome.tab.tabId},${child}"method":"${method}","params":${params}${flags}}`;
}
