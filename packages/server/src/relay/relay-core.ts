import type { ExtensionEvent, ExtensionTab } from "@debug-bridge/protocol";
import type { PersonSettings } from "../dispatch/policy.js";
import { type Done, ExtensionRpc } from "../wires/extension/extension-rpc.js";
import { readFromExtension } from "../wires/extension/read.js";
import { Client } from "./clients/client.js";
import type { ClientSession } from "./clients/client-session.js";
import { ClientSessions } from "./clients/client-sessions.js";
import { admitCommand, type CommandPort } from "./clients/command-gate.js";
import { HeldCommands } from "./clients/held-commands.js";
import { onChromeEvent } from "./events/chrome-events.js";
import { attachSession } from "./session/attach-session.js";
import { forwardCommand } from "./session/forward-command.js";
import { answerWithoutPage } from "./session/synthetic-replies.js";
import { type DownloadFiles, Downloads } from "./tabs/downloads.js";
import { SharingRequests } from "./tabs/sharing.js";
import type { ChromeSession, Tab } from "./tabs/tab.js";
import { TabAttachments } from "./tabs/tab-attachments.js";
import { TabRegistry } from "./tabs/tab-registry.js";
import { type TabEvent, TabUsage } from "./tabs/tab-usage.js";
import { runBrowserCommand } from "./targets/browser-session.js";
import { pageInfo, type TargetInfo } from "./targets/target-info.js";
import {
  busy,
  type CdpMessage,
  METHOD_NOT_FOUND,
  type Params,
  readMessage,
  SESSION_GONE,
} from "./wire/messages.js";

/** What the relay needs from its environment. */
export interface RelayPorts {
  /** The policy, the timeline and the audit log, for commands of clients. */
  readonly commands: CommandPort;
  now(): number;
  readonly files: DownloadFiles;
  onTab(this: void, event: TabEvent): void;
  /** The address of the dashboard, for the person. */
  dashboard?(): string | undefined;
  /** The clients that wait for a tab have changed. */
  onWaiting?(clients: readonly string[]): void;
}

interface CommandFlags {
  /** `Runtime.enable` as it is, without reporting contexts again. */
  readonly plain?: boolean;
  /** A command of the hub itself, and not of a client. */
  readonly own?: boolean;
}

/** Clients may connect before a browser is there, and parse a version: this one says that none is known. */
const NO_BROWSER = "Chrome/0.0.0.0";
const OWN = ',"own":true';
/** A client that connects before the browser waits this long for it. */
const EARLY_CLIENT_TIMEOUT_MS = 3_000;
/** A tab that does not answer, for example a page in an endless loop, must not delay the others. */
const RESYNC_TIMEOUT_MS = 1_500;
/** A browser that is away for this long is gone, with its tabs. */
const GONE_TIMEOUT_MS = 10_000;

/**
 * The relay without its sockets: clients, tabs, and the sessions of clients on tabs. Text comes in and goes out. It has no
 * timers: `expire` is called from outside.
 */
export class RelayCore {
  readonly extension: ExtensionRpc;
  readonly tabs = new Map<number, Tab>();
  readonly byTarget = new Map<string, Tab>();
  readonly clients = new Set<Client>();
  readonly registry = new TabRegistry(this);
  readonly sessions = new ClientSessions(this);
  readonly downloads = new Downloads(this);
  readonly attachments = new TabAttachments(this);
  readonly usage: TabUsage;
  readonly sharing: SharingRequests;
  /** Sessions whose contexts Chrome is reporting again, with the contexts reported so far. */
  readonly seenAgain = new Map<ChromeSession, Set<number>>();
  /** The person's settings, as far as the extension reports them. */
  person: PersonSettings | undefined;
  private hello: Params = {};
  private lostAt: number | undefined;
  private openBy = 0;
  private early = new Map<Client, { until: number; held: HeldCommands }>();
  private activity = 0;
  private nextClient = 1;

  constructor(private readonly ports: RelayPorts) {
    this.extension = new ExtensionRpc(() => ports.now());
    this.usage = new TabUsage(this, ports.onTab);
    this.sharing = new SharingRequests(this, ports);
  }

  get commands(): CommandPort {
    return this.ports.commands;
  }

  now(): number {
    return this.ports.now();
  }

  get files(): DownloadFiles {
    return this.ports.files;
  }

  // --- the extension

  extensionConnected(send: (text: string) => void): void {
    this.lostAt = undefined;
    this.openBy = this.now() + RESYNC_TIMEOUT_MS;
    this.extension.connect(send);
    this.extension.requestFirst("listTabs", "{}", (outcome) => {
      if (outcome.ok) this.registry.reconcile(JSON.parse(outcome.body) as ExtensionTab[]);
    });
  }

  /** Whether a browser was connected, and no longer is. */
  get wasConnected(): boolean {
    return this.lostAt !== undefined;
  }

  extensionLost(reason: string): void {
    this.lostAt = this.now();
    this.person = undefined;
    this.registry.onExtensionLost();
    this.seenAgain.clear();
    this.extension.onLost(reason);
  }

  /** Handles one frame of the extension; throws what is wrong with it. */
  extensionText(text: string): void {
    const message = readFromExtension(text);
    if (message.kind === "reply") this.extension.settle(message.id, message.ok, message.body);
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
      case "accessChanged":
        this.person = event.params;
        return;
      case "sharingRefused":
        this.sharing.onRefused(event.params.clients);
        return;
      case "tabWanted": {
        const tab = this.tabs.get(event.params.tabId);
        if (tab) this.usage.reportTab("wanted", tab);
        return;
      }
      case "tabOpened":
        this.registry.opened(event.params.tab);
        return;
      case "tabClosed": {
        const tab = this.tabs.get(event.params.tabId);
        if (tab) this.registry.removeTab(tab, event.params.reason);
        return;
      }
      case "tabUpdated":
        this.registry.updateTab(event.params);
        return;
      case "tabDetached": {
        // "Cancel" in Chrome's bar detaches every tab, whichever it names.
        const all = event.params.reason === "canceled_by_user";
        for (const tab of this.tabs.values())
          if (all || tab.tabId === event.params.tabId) this.registry.detached(tab);
      }
    }
  }

  /** The extension's tabs are known: what waited for them continues. */
  ready(): void {
    if (this.extension.ready) return;
    this.extension.open();
    for (const client of [...this.early.keys()]) this.releaseEarly(client);
  }

  // --- commands to Chrome

  /** A command to Chrome. */
  command(
    chrome: ChromeSession,
    method: string,
    params: string,
    done: Done,
    { plain = false, own = false }: CommandFlags = {},
  ): void {
    const flags = `${plain ? ',"plain":true' : ""}${own ? OWN : ""}`;
    this.extension.request("cdpCommand", commandText(chrome, method, params, flags), done);
  }

  /** A command of a client, as the policy admitted it. */
  commandOf(
    { client }: ClientSession,
    message: CdpMessage,
    chrome: ChromeSession,
    params: string,
    done: Done,
  ): void {
    const flag = client.isInside ? OWN : message.onlyLooks ? ',"readOnly":true' : "";
    const flags = `${flag},"client":${client.quotedName}`;
    this.extension.request("cdpCommand", commandText(chrome, message.method, params, flags), done);
  }

  commandFirst(chrome: ChromeSession, method: string, params: string, done: Done, own = false): void {
    this.extension.requestFirst("cdpCommand", commandText(chrome, method, params, own ? OWN : ""), done);
  }

  /** The patterns of all sessions together. */
  fetchPatterns(chrome: ChromeSession): Params {
    const wanted: Params[] = [...chrome.sessions]
      .filter((session) => session.usesPage && session.setUp.domains.has("Fetch"))
      .map((session) => session.setUp.get("Fetch.enable")?.params ?? {});
    if (wanted.length === 1) return wanted[0] as Params;
    const all = wanted.some(({ patterns }) => !Array.isArray(patterns));
    return {
      handleAuthRequests: wanted.some(({ handleAuthRequests }) => handleAuthRequests === true),
      patterns: all ? [{ urlPattern: "*" }] : wanted.flatMap(({ patterns }) => patterns as Params[]),
    };
  }

  // --- clients

  connect(name: string, send: Client["send"]): Client {
    const client = new Client(`c${this.nextClient++}`, name, send);
    this.clients.add(client);
    if (!this.extension.ready)
      this.early.set(client, { until: this.now() + EARLY_CLIENT_TIMEOUT_MS, held: new HeldCommands() });
    return client;
  }

  disconnect(client: Client): void {
    this.clients.delete(client);
    this.early.delete(client);
    const tabs = new Set<Tab>();
    for (const session of [...client.sessions.values()]) {
      if (session.tab) tabs.add(session.tab);
      this.sessions.drop(session, false);
    }
    for (const tab of tabs) this.attachments.releaseIfUnused(tab);
  }

  /** Handles one frame of a client; throws what is wrong with it. */
  clientText(client: Client, text: string): void {
    this.receive(client, readMessage(text));
  }

  receive(client: Client, message: CdpMessage): void {
    const early = this.early.get(client);
    if (early) {
      if (!early.held.add(message)) client.root.fail(message.id, busy());
      return;
    }
    const session = client.sessions.get(message.sessionId);
    if (session) {
      const refusal = this.sharing.refusal(client, message.method);
      const admitted = refusal ? undefined : admitCommand(this, session, message);
      if (admitted) this.dispatch(session, admitted);
      else if (refusal) session.fail(message.id, refusal);
    } else {
      const lost = this.sharing.lossText(client, message.sessionId);
      const error = {
        code: SESSION_GONE,
        message: `Session with given id not found${lost ? `: ${lost}` : ""}.`,
      };
      client.send(JSON.stringify({ id: message.id, error, sessionId: message.sessionId }));
    }
  }

  dispatch(session: ClientSession, message: CdpMessage): void {
    session.lastActive = ++this.activity;
    if (session.kind === "browser") runBrowserCommand(this, session, message);
    else if (session.kind === "tab") this.runTab(session, message);
    else if (session.isAttached) this.runPage(session, message);
    else if (session.isAttaching) session.enqueue(message);
    else if (message.method.startsWith("Browser."))
      runBrowserCommand(this, session.client.root, message, session);
    else if (message.method === "Target.getTargetInfo")
      runBrowserCommand(this, session.client.root, message, session);
    else if (!session.isAutomatic || !answerWithoutPage(session, message)) {
      attachSession(this, session, message);
    }
  }

  private runPage(session: ClientSession, message: CdpMessage): void {
    if (message.method.startsWith("Browser.")) runBrowserCommand(this, session.client.root, message, session);
    else forwardCommand(this, session, message);
  }

  runBrowserCommand(session: ClientSession, message: CdpMessage, asker: ClientSession): void {
    runBrowserCommand(this, session, message, asker);
  }

  /** The target around a page does one thing: it attaches to the page. */
  private runTab(session: ClientSession, message: CdpMessage): void {
    const { id, method, params } = message;
    if (method === "Target.setAutoAttach") {
      session.wants.autoAttach = params.autoAttach === true ? [{}] : undefined;
      if (session.wants.autoAttach && session.tab && session.children.size === 0)
        this.sessions.attachTo(session, session.tab, "page", true);
      session.reply(id);
    } else if (method === "Target.detachFromTarget" || method === "Target.getTargetInfo") {
      runBrowserCommand(this, session.client.root, message, session);
    } else if (method === "Runtime.runIfWaitingForDebugger" || method.startsWith("Network."))
      session.reply(id);
    else session.fail(id, { code: METHOD_NOT_FOUND, message: `'${method}' wasn't found` });
  }

  /** Ends what has waited too long. Call it a few times a second. */
  expire(): void {
    if (this.extension.connected && !this.extension.ready && this.openBy < this.now()) this.ready();
    this.extension.expire();
    this.sharing.update();
    for (const [client, { until }] of this.early) if (until <= this.now()) this.releaseEarly(client);
    if (this.lostAt !== undefined && this.now() - this.lostAt > GONE_TIMEOUT_MS) {
      this.lostAt = undefined;
      for (const tab of [...this.tabs.values()]) this.registry.removeTab(tab);
    }
  }

  private releaseEarly(client: Client): void {
    const early = this.early.get(client);
    this.early.delete(client);
    for (const message of early?.held.messages ?? []) this.receive(client, message);
  }

  // --- information

  version(): object {
    const product = typeof this.hello.product === "string" ? this.hello.product : NO_BROWSER;
    const userAgent =
      typeof this.hello.userAgent === "string" ? this.hello.userAgent : `Mozilla/5.0 ${product}`;
    return { protocolVersion: "1.3", product, revision: "@debug-bridge", userAgent, jsVersion: "" };
  }

  targetInfos(): TargetInfo[] {
    return [...this.tabs.values()].map((tab) => pageInfo(tab, tab.attachment === "attached"));
  }

  eachDiscoverer(run: (session: ClientSession) => void): void {
    for (const client of this.clients)
      for (const session of client.sessions.values())
        if (session.kind === "browser" && session.wants.discover) run(session);
  }
}

function commandText(chrome: ChromeSession, method: string, params: string, flags: string): string {
  const child = chrome.id === undefined ? "" : `"childSessionId":${JSON.stringify(chrome.id)},`;
  return `{"tabId":${chrome.tab.tabId},${child}"method":"${method}","params":${params}${flags}}`;
}
