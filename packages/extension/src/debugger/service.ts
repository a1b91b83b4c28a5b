/// <reference types="chrome" />
import { keepWorkerAlive } from "../keep-alive/offscreen.js";
import type { AccessSettings } from "../settings/access.js";
import { Grants } from "./access/grants.js";
import { permitCommand } from "./access/permit.js";
import { type AgentTab, agentTabs } from "./agents-view.js";
import { browserInfo } from "./browser-info.js";
import { type CdpCommand, CdpRunner, type Reply } from "./cdp/cdp-runner.js";
import { type ChromeEventHandlers, listenToChrome } from "./chrome-events.js";
import { ExtensionCommands } from "./extension-commands.js";
import { RelayWire } from "./relay-wire.js";
import { Attachments } from "./tabs/attachments.js";
import { Indicator } from "./tabs/indicator.js";
import { TabRegistry } from "./tabs/tab-registry.js";

/** Connects Chrome's debugger and tabs with the relay, within what the person allows. */
export class DebuggerService implements ChromeEventHandlers {
  readonly wire: RelayWire;
  /** Resolves when everything that an earlier worker stored is loaded. */
  readonly loaded: Promise<void>;
  private readonly grants = new Grants();
  private readonly indicator = new Indicator();
  private readonly attachments: Attachments;
  private readonly cdp: CdpRunner;
  private readonly tabs: TabRegistry;
  private readonly commands: ExtensionCommands;
  private readonly clients = new Map<number, readonly string[]>();
  private instance = "";
  private browser: object = {};

  constructor(
    private readonly access: () => AccessSettings,
    private readonly onChange: () => void,
  ) {
    this.attachments = new Attachments(
      (tabId) => this.tabs.isDiscarded(tabId),
      (tabId) => this.cdp.screenshots.forget(tabId),
    );
    this.cdp = new CdpRunner(this.attachments, (command) => this.permit(command));
    this.wire = new RelayWire({
      instance: () => this.instance,
      browser: () => this.browser,
      access: () => this.access(),
      onRequest: (method, params, reply) => this.onRequest(method, params, reply),
      onTabUsage: (tabId, clients) => this.setClients(tabId, clients),
      onStatus: (status) => void keepWorkerAlive(status),
    });
    this.tabs = new TabRegistry({
      isOffered: (tab) => this.grants.isOffered(tab, this.access()),
      isAttached: (tabId) => this.attachments.has(tabId),
      onOpened: (tab) => this.notify("tabOpened", { tab }),
      onClosed: (tabId) => {
        void this.attachments.detach(tabId);
        this.indicator.forget(tabId);
        this.clients.delete(tabId);
        this.notify("tabClosed", { tabId });
      },
      onUpdated: (change) => this.notify("tabUpdated", change),
    });
    const { access: getAccess, tabs, grants, attachments, indicator } = this;
    this.commands = new ExtensionCommands({
      access: getAccess,
      tabs,
      grants,
      attachments,
      indicator,
      onChange,
    });
    listenToChrome(this);
    this.loaded = this.load();
  }

  // --- for the popup and the settings

  handOver(tabId: number): void {
    this.grants.handOver(tabId);
    this.reviewTabs();
  }

  /** Takes a tab from agents, at once. */
  revoke(tabId: number): void {
    this.grants.revoke(tabId);
    void this.indicator.setClients(tabId, []);
    if (this.attachments.has(tabId)) {
      void this.attachments.detach(tabId);
      this.notify("tabDetached", { tabId, reason: "revoked" });
    }
    this.reviewTabs();
  }

  /** The person's settings have changed. */
  onAccessChanged(): void {
    this.wire.reportAccess();
    this.reviewTabs();
  }

  /** Checks again which tabs agents may see. */
  private reviewTabs(): void {
    void this.loaded.then(() => this.tabs.review()).then(this.onChange);
  }

  describeTabs(tabs: readonly chrome.tabs.Tab[]): readonly AgentTab[] {
    return agentTabs(tabs, {
      access: this.access(),
      clientsOf: (tabId) => this.clients.get(tabId) ?? [],
      isAttached: (tabId) => this.attachments.has(tabId),
      isOffered: (tabId) => this.tabs.has(tabId),
    });
  }

  // --- events of Chrome

  onCdpEvent(tabId: number, sessionId: string | undefined, method: string, params: object | undefined): void {
    if (this.cdp.screenshots.isOwnEvent(tabId, method)) return;
    const child = sessionId === undefined ? "" : `"childSessionId":${JSON.stringify(sessionId)},`;
    // In this order, so that the relay can recognise the message without parsing it.
    this.wire.send(
      `{"method":"cdpEvent","params":{"tabId":${tabId},${child}"method":"${method}","params":${JSON.stringify(params ?? {})}}}`,
    );
  }

  onDetached(tabId: number, reason: string): void {
    // "Cancel" in Chrome's bar detaches every tab, but Chrome may report only one of them.
    const isCancel = reason === "canceled_by_user";
    for (const id of new Set([tabId, ...(isCancel ? this.attachments.all() : [])])) {
      this.attachments.forget(id);
      this.indicator.forget(id);
      this.notify("tabDetached", { tabId: id, reason });
      // A person who cancels wants agents out: the next command must not attach again.
      if (isCancel) void this.loaded.then(() => this.revoke(id));
    }
  }

  onTabCreated(tab: chrome.tabs.Tab): void {
    void this.loaded.then(() => this.tabs.created(tab));
  }

  onTabUpdated(tabId: number, change: chrome.tabs.OnUpdatedInfo, tab: chrome.tabs.Tab): void {
    if (change.frozen) this.attachments.onFrozen(tabId);
    void this.loaded.then(() => this.tabs.updated(tabId, change, tab));
  }

  onTabRemoved(tabId: number): void {
    this.attachments.forget(tabId);
    this.tabs.removed(tabId);
    this.grants.forget(tabId);
  }

  onTabReplaced(added: number, removed: number): void {
    this.attachments.forget(removed);
    this.tabs.removed(removed);
    void this.loaded.then(async () => {
      this.grants.replace(removed, added);
      this.tabs.created(await chrome.tabs.get(added));
    });
  }

  onFrontChanged(): void {
    void this.loaded.then(() => this.tabs.updateFront());
  }

  // --- requests of the relay

  private onRequest(method: string, params: Readonly<Record<string, unknown>>, reply: Reply): void {
    if (method === "cdpCommand") {
      const command = params as unknown as CdpCommand;
      if (typeof command.tabId !== "number" || typeof command.method !== "string")
        reply(undefined, "invalid_message: cdpCommand needs tabId and method");
      else this.cdp.run(command, reply);
      return;
    }
    this.commands.run(method, params).then(reply, (thrown: Error) => {
      const { message } = thrown;
      reply(undefined, /^[a-z_]+: /.test(message) ? message : `internal: ${message}`);
    });
  }

  /** Decides about a command that is about to be sent to Chrome, and shows it to the person. */
  private permit({ tabId, method, params = {}, childSessionId, readOnly, own }: CdpCommand) {
    const access = this.access();
    const permit = permitCommand(method, params, access, readOnly === true, own === true);
    if ("params" in permit && access.visible) {
      if (method === "Page.captureScreenshot" || method === "Page.startScreencast")
        this.indicator.hideCursor(tabId);
      if (method === "Input.dispatchMouseEvent" && childSessionId === undefined)
        this.indicator.showCursor(tabId, Number(params.x), Number(params.y));
    }
    return permit;
  }

  private setClients(tabId: number, clients: readonly string[]): void {
    if (clients.length > 0) this.clients.set(tabId, clients);
    else this.clients.delete(tabId);
    if (this.access().visible) void this.indicator.setClients(tabId, clients);
    this.onChange();
  }

  private notify(method: string, params: object): void {
    this.wire.notify(method, params);
    this.onChange();
  }

  private async load(): Promise<void> {
    const [session, info] = await Promise.all([
      chrome.storage.session.get("relayInstance"),
      browserInfo(),
      this.grants.load(),
      this.attachments.restored,
    ]);
    this.browser = info;
    // The same in every worker of this browser session, so that a new worker can replace the last one at the relay.
    this.instance = typeof session.relayInstance === "string" ? session.relayInstance : crypto.randomUUID();
    if (session.relayInstance === undefined)
      await chrome.storage.session.set({ relayInstance: this.instance });
  }
}
