/// <reference types="chrome" />
import { type Permit, permitCommand, StandingCasts, type TabAccess } from "@debug-bridge/protocol";
import { keepWorkerAlive } from "../keep-alive/offscreen.js";
import { ElementPicker } from "../picking/element-picker.js";
import type { Settings, SettingsChange } from "../settings/settings.js";
import { Decisions } from "./access/decisions.js";
import { Departures } from "./access/departures.js";
import { ForeignChildren } from "./access/foreign-children.js";
import { notShared } from "./access/refusals.js";
import { type AgentTab, agentTabs } from "./agents-view.js";
import { browserInfo } from "./browser-info.js";
import { type CdpCommand, CdpRunner, type Reply, sendQuietly } from "./cdp/cdp-runner.js";
import { type ChromeEventHandlers, listenToChrome } from "./chrome-events.js";
import { ExtensionCommands } from "./extension-commands.js";
import { RelayWire } from "./relay-wire.js";
import { Attachments } from "./tabs/attachments.js";
import { Indicator } from "./tabs/indicator.js";
import { SeenTabs } from "./tabs/seen-tabs.js";
import { TabRegistry } from "./tabs/tab-registry.js";

export interface DebuggerServiceOptions {
  readonly settings: () => Settings;
  readonly change: (change: SettingsChange) => Promise<void>;
  readonly onChange: () => void;
}

/** Connects Chrome's debugger and tabs with the relay, within what the person allows. */
export class DebuggerService implements ChromeEventHandlers {
  readonly wire: RelayWire;
  readonly decisions: Decisions;
  /** Resolves when everything that an earlier worker stored is loaded. */
  readonly loaded: Promise<void>;
  readonly picker = new ElementPicker();
  private readonly indicator = new Indicator();
  private readonly seen = new SeenTabs();
  private readonly casts = new StandingCasts((tabId) => this.seen.isSeen(tabId), sendQuietly);
  private readonly attachments: Attachments;
  private readonly cdp: CdpRunner;
  private readonly tabs: TabRegistry;
  private readonly commands: ExtensionCommands;
  private readonly clients = new Map<number, readonly string[]>();
  private readonly departures = new Departures();
  private readonly foreign = new ForeignChildren();
  private instance = "";
  private browser: object = {};

  constructor(private readonly options: DebuggerServiceOptions) {
    this.decisions = new Decisions({
      settings: options.settings,
      change: options.change,
      onSharingChanged: () => this.reviewTabs(),
      onQuestionsChanged: options.onChange,
      onRefused: (clients) => this.notify("sharingRefused", { clients }),
    });
    this.attachments = new Attachments(
      (tabId) => this.tabs.isDiscarded(tabId),
      (tabId) => this.watchLocked(tabId),
      (tabId) => {
        this.casts.forget(tabId);
        this.picker.forget(tabId);
      },
    );
    this.cdp = new CdpRunner(this.attachments, this.casts, {
      enforce: (tabId) => this.decisions.enforce(tabId),
      permit: (command) => this.permit(command),
      ask: ({ client, method }, grant) => this.decisions.ask(client, grant, method),
    });
    this.wire = new RelayWire({
      instance: () => this.instance,
      browser: () => this.browser,
      settings: () => options.settings(),
      onRequest: (method, params, reply) => this.onRequest(method, params, reply),
      onTabUsage: (tabId, clients) => this.setClients(tabId, clients),
      onClientsWaiting: (clients, dashboard) => {
        const isElsewhere = dashboard !== undefined && dashboard !== this.dashboardUrl;
        this.dashboardUrl = dashboard ?? this.dashboardUrl;
        this.decisions.setWaiting(clients);
        // The panel has to follow a hub that came back at another port.
        if (isElsewhere) options.onChange();
      },
      onStatus: (status) => {
        if (status !== "connected") this.decisions.setWaiting([]);
        void keepWorkerAlive(status);
      },
    });
    this.tabs = this.createRegistry();
    const { tabs, attachments, indicator, decisions } = this;
    this.commands = new ExtensionCommands({
      decisions,
      tabs,
      attachments,
      indicator,
      onChange: options.onChange,
    });
    listenToChrome(this);
    this.loaded = this.load();
  }

  /** Where the hub shows its dashboard. */
  dashboardUrl: string | undefined;

  private createRegistry(): TabRegistry {
    const { sharing } = this.decisions;
    return new TabRegistry(this.seen, {
      isOffered: (tab) => sharing.isOffered(tab),
      accessOf: (tabId) => sharing.accessOf(tabId),
      enforce: (tabId) => this.decisions.enforce(tabId),
      isAttached: (tabId) => this.attachments.has(tabId),
      onOpened: (tab) => this.notify("tabOpened", { tab }),
      onClosed: (tabId, isGone) => this.onTabClosed(tabId, isGone),
      onAccessChanged: (tabId, access) => this.onTabAccess(tabId, access),
      onUpdated: (change) => this.notify("tabUpdated", change),
    });
  }

  // --- for the popup and the settings

  /** Stops sharing all tabs, at once. */
  async stopAll(): Promise<void> {
    const tabs = await chrome.tabs.query({});
    if (this.options.settings().share === "all") await this.options.change({ share: "chosen" });
    this.decisions.stop(tabs.flatMap(({ id }) => (id === undefined ? [] : id)));
  }

  /** The person is about to show something of a shared tab to an agent. Attaches it, and has the hub prepare it. */
  async prepare(tabId: number): Promise<void> {
    await this.loaded;
    if (!this.tabs.has(tabId))
      throw new Error("Agents cannot use this tab. Share it in the Debug Bridge popup first.");
    this.wire.notify("tabWanted", { tabId });
    await this.attachments.attach(tabId);
  }

  keepDrawing(tabId: number): () => void {
    return this.casts.begin(tabId, "Page.captureScreenshot");
  }

  /** The person's settings have changed. */
  onAccessChanged(): void {
    this.wire.reportAccess();
    this.reviewTabs();
  }

  /** Checks again which tabs agents may see, and how. */
  private reviewTabs(): void {
    void this.loaded.then(() => this.tabs.review()).then(this.options.onChange);
  }

  describeTabs(tabs: readonly chrome.tabs.Tab[]): readonly AgentTab[] {
    return agentTabs(tabs, {
      clientsOf: (tabId) => this.clients.get(tabId) ?? [],
      accessOf: (tabId) => this.decisions.sharing.accessOf(tabId),
      isOffered: (tabId) => this.tabs.has(tabId),
    });
  }

  // --- tabs that agents may use

  private onTabClosed(tabId: number, isGone: boolean): void {
    const access = this.decisions.sharing.accessOf(tabId);
    const reason = isGone
      ? undefined
      : !access
        ? "stopped"
        : access.level === "site"
          ? "left_site"
          : undefined;
    void this.attachments.detach(tabId);
    this.decisions.releaseLock(tabId);
    this.indicator.forget(tabId);
    void this.indicator.setClients(tabId, []);
    this.clients.delete(tabId);
    this.notify("tabClosed", { tabId, ...(reason ? { reason } : {}) });
  }

  /**
   * The person changed what agents may do in a tab. The debugger leaves it, and with it all that clients set up there;
   * the relay attaches it again with what the new access allows.
   */
  private onTabAccess(tabId: number, access: TabAccess): void {
    if (access.level !== "site") this.decisions.releaseLock(tabId);
    if (this.attachments.has(tabId)) {
      void this.attachments.detach(tabId);
      this.indicator.forget(tabId);
      this.notify("tabDetached", { tabId, reason: "access_changed" });
    }
    this.notify("tabUpdated", { tabId, access });
  }

  // --- events of Chrome

  onCdpEvent(tabId: number, sessionId: string | undefined, method: string, params: object | undefined): void {
    if (
      this.casts.isOwnEvent(tabId, method) ||
      this.picker.isOwnEvent(tabId, method, params) ||
      this.isWithheld(tabId, sessionId, method, params ?? {})
    )
      return;
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
      if (isCancel) void this.loaded.then(() => this.decisions.stop([id]));
    }
  }

  /** Events of other sites in a locked tab. Clients do not get them, and lose a tab that leaves its site. */
  private isWithheld(tabId: number, sessionId: string | undefined, method: string, params: object): boolean {
    const site = this.decisions.locks.siteOf(tabId);
    if (site === undefined) return false;
    if (this.foreign.has(sessionId)) return true;
    if (method === "Target.attachedToTarget") return this.foreign.refuses(tabId, sessionId, params, site);
    if (sessionId !== undefined || !this.departures.isDeparture(tabId, method, params, site)) return false;
    this.tabs.close(tabId);
    return true;
  }

  /** Has Chrome report where a locked tab goes, before any client can use it. */
  private async watchLocked(tabId: number): Promise<void> {
    if (this.decisions.locks.siteOf(tabId) !== undefined)
      await chrome.debugger.sendCommand({ tabId }, "Page.enable");
  }

  /** Chrome stopped a document of another site in a locked tab. */
  onDocumentBlocked(tabId: number, url: string): void {
    if (this.decisions.locks.siteOf(tabId) === undefined) return;
    const isByPerson = this.departures.isByPerson(tabId);
    this.tabs.close(tabId);
    if (!isByPerson) return;
    void this.decisions.locks.set(tabId, undefined).then(() => chrome.tabs.update(tabId, { url }));
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
    this.departures.forget(tabId);
    this.decisions.releaseLock(tabId);
    this.decisions.sharing.forget(tabId);
  }

  onTabReplaced(added: number, removed: number): void {
    this.attachments.forget(removed);
    this.tabs.removed(removed);
    void this.loaded.then(async () => {
      this.decisions.sharing.replace(removed, added);
      this.tabs.created(await chrome.tabs.get(added));
    });
  }

  onFrontChanged(): void {
    void this.loaded.then(() => this.tabs.updateFront()).then(() => this.casts.reviewAll());
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
  private permit({ tabId, method, params = {}, childSessionId, readOnly, client, own }: CdpCommand): Permit {
    const access = this.decisions.accessFor(tabId, client);
    if (!access || this.foreign.has(childSessionId)) return { error: notShared(tabId) };
    // The events of this domain show whether a locked tab is still on its site.
    if (access.level === "site" && method === "Page.disable") return { acknowledge: true };
    const code = own ? "own" : readOnly ? "placed" : undefined;
    const permit = permitCommand(method, params, { ...access, code }, readOnly === true);
    if (!("params" in permit)) return permit;
    this.departures.onCommand(tabId);
    if (this.options.settings().visible) {
      if (method === "Page.captureScreenshot" || method === "Page.startScreencast")
        this.indicator.hideCursor(tabId);
      if (method === "Input.dispatchMouseEvent" && childSessionId === undefined && this.seen.isActive(tabId))
        this.indicator.showCursor(tabId, Number(params.x), Number(params.y));
    }
    return permit;
  }

  private setClients(tabId: number, clients: readonly string[]): void {
    if (clients.length > 0) this.clients.set(tabId, clients);
    else this.clients.delete(tabId);
    if (this.options.settings().visible) void this.indicator.setClients(tabId, clients);
    this.options.onChange();
  }

  private notify(method: string, params: object): void {
    this.wire.notify(method, params);
    this.options.onChange();
  }

  private async load(): Promise<void> {
    const [session, info] = await Promise.all([
      chrome.storage.session.get("relayInstance"),
      browserInfo(),
      this.decisions.load(),
      this.attachments.restored,
    ]);
    this.browser = info;
    // The same in every worker of this browser session, so that a new worker can replace the last one at the relay.
    this.instance = typeof session.relayInstance === "string" ? session.relayInstance : crypto.randomUUID();
    if (session.relayInstance === undefined)
      await chrome.storage.session.set({ relayInstance: this.instance });
  }
}
