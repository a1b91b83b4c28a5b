/// <reference types="chrome" />
import { type ExtensionTab, restriction, type TabAccess } from "@debug-bridge/protocol";
import { FULL_ACCESS, sameAccess } from "../../settings/access.js";
import type { SeenTabs } from "./seen-tabs.js";

export interface TabRegistryOptions {
  /** Whether agents may see a tab. */
  readonly isOffered: (tab: { id: number; url: string }) => boolean;
  readonly accessOf: (tabId: number) => TabAccess | undefined;
  /** Resolves when everything that the tab's access needs is in force. */
  readonly enforce: (tabId: number) => Promise<void> | undefined;
  readonly isAttached: (tabId: number) => boolean;
  readonly onOpened: (tab: ExtensionTab) => void;
  /** `isGone`: the tab no longer exists. */
  readonly onClosed: (tabId: number, isGone: boolean) => void;
  readonly onAccessChanged: (tabId: number, access: TabAccess) => void;
  readonly onUpdated: (change: {
    tabId: number;
    url?: string;
    title?: string;
    status?: "loading" | "complete";
    active?: boolean;
  }) => void;
}

/** The tabs that the relay knows. Reports to it when tabs that agents may see open, change or close. */
export class TabRegistry {
  /** The tabs that the relay knows, each with the access that it had last. */
  private readonly announced = new Map<number, TabAccess>();
  private readonly announcing = new Set<number>();
  private readonly discarded = new Set<number>();
  /** How many lists Chrome has not returned yet. */
  private listing = 0;
  /** Tabs that changed while they were being listed or announced, so that what was reported may be out of date. */
  private readonly changed = new Set<number>();

  constructor(
    private readonly seen: SeenTabs,
    private readonly options: TabRegistryOptions,
  ) {}

  /** All tabs that agents may see. From now on changes are reported. */
  async list(): Promise<ExtensionTab[]> {
    this.listing++;
    try {
      const [tabs, targets] = await Promise.all([
        chrome.tabs.query({}),
        chrome.debugger.getTargets(),
        this.updateFront(),
      ]);
      const targetIds = new Map(targets.map(({ tabId, id }) => [tabId, id]));
      const offered = [];
      for (const tab of tabs)
        if (this.offers(tab) && (await this.isEnforced(tab.id as number))) offered.push(tab);
      this.announced.clear();
      for (const { id } of offered) this.markAnnounced(id as number);
      return offered.map((tab) => this.describe(tab, targetIds.get(tab.id as number)));
    } finally {
      // Only now: what changes while the list is made is not in it.
      this.listing--;
      if (this.listing === 0) for (const id of [...this.changed]) void this.reportCurrent(id);
    }
  }

  /** Describes a tab for the relay, once Chrome has a target for it. */
  async describeTab(tabId: number): Promise<ExtensionTab> {
    for (let attempt = 0; ; attempt++) {
      const targets = await chrome.debugger.getTargets();
      const tab = await chrome.tabs.get(tabId);
      const target = targets.find((each) => each.tabId === tabId);
      if (target || attempt >= 10) return this.describe(tab, target?.id);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  has(tabId: number): boolean {
    return this.announced.has(tabId);
  }

  /** Whether Chrome has discarded the tab to save memory. */
  isDiscarded(tabId: number): boolean {
    return this.discarded.has(tabId);
  }

  /** The relay learned of the tab from a reply. */
  markAnnounced(tabId: number): void {
    this.announced.set(tabId, this.options.accessOf(tabId) ?? FULL_ACCESS);
  }

  created(tab: chrome.tabs.Tab): void {
    if (tab.id !== undefined && this.offers(tab)) void this.open(tab.id);
  }

  updated(
    tabId: number,
    change: { url?: string; title?: string; status?: string },
    tab: chrome.tabs.Tab,
  ): void {
    this.updateDiscarded(tab);
    this.markChanged(tabId);
    if (!this.offers(tab)) {
      this.close(tabId);
      return;
    }
    if (!this.announced.has(tabId)) {
      void this.open(tabId);
      return;
    }
    const { url, title, status } = change;
    if (url === undefined && title === undefined && status === undefined) return;
    this.options.onUpdated({
      tabId,
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title }),
      ...(status === "loading" || status === "complete" ? { status } : {}),
    });
  }

  /** Another tab or window is in front. */
  async updateFront(): Promise<void> {
    const previous = this.seen.front;
    await this.seen.update();
    const { front } = this.seen;
    if (previous === front) return;
    for (const tabId of [previous, front])
      if (tabId !== undefined && this.announced.has(tabId))
        this.options.onUpdated({ tabId, active: tabId === front });
  }

  removed(tabId: number): void {
    this.markChanged(tabId);
    this.close(tabId, true);
  }

  /** Checks all tabs again, after the person changed what is shared. */
  async review(): Promise<void> {
    for (const tab of await chrome.tabs.query({})) {
      if (tab.id === undefined) continue;
      if (!this.offers(tab)) this.close(tab.id);
      else if (!this.announced.has(tab.id)) await this.open(tab.id);
      else await this.updateAccess(tab.id);
    }
  }

  close(tabId: number, isGone = false): void {
    if (this.announced.delete(tabId)) this.options.onClosed(tabId, isGone);
  }

  private async updateAccess(tabId: number): Promise<void> {
    const access = this.options.accessOf(tabId);
    if (!access || sameAccess(access, this.announced.get(tabId))) return;
    this.announced.set(tabId, access);
    this.options.onAccessChanged(tabId, access);
    if (!(await this.isEnforced(tabId))) this.close(tabId);
  }

  private async isEnforced(tabId: number): Promise<boolean> {
    try {
      await this.options.enforce(tabId);
      return true;
    } catch {
      // Chrome cannot lock a tab to such a site. It is not offered.
      return false;
    }
  }

  private async open(tabId: number): Promise<void> {
    if (this.announced.has(tabId) || this.announcing.has(tabId)) return;
    if (this.listing > 0) {
      this.changed.add(tabId);
      return;
    }
    this.announcing.add(tabId);
    try {
      const isEnforced = await this.isEnforced(tabId);
      const tab = await this.describeTab(tabId);
      if (this.announced.has(tabId) || !isEnforced) return;
      if (!this.options.isOffered({ id: tabId, url: tab.url })) return;
      this.markAnnounced(tabId);
      this.options.onOpened(tab);
    } catch {
      // The tab was closed in the meantime.
    } finally {
      this.announcing.delete(tabId);
      if (this.listing === 0 && this.changed.has(tabId)) void this.reportCurrent(tabId);
    }
  }

  private markChanged(tabId: number): void {
    if (this.listing > 0 || this.announcing.has(tabId)) this.changed.add(tabId);
  }

  /** Reports the current state of a tab. Chrome is asked again, because an event and a reply have no known order. */
  private async reportCurrent(tabId: number): Promise<void> {
    this.changed.delete(tabId);
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (!tab || !this.offers(tab)) this.close(tabId);
    else if (!this.announced.has(tabId)) await this.open(tabId);
    else {
      const { url = "", title = "", status } = tab;
      this.options.onUpdated({ tabId, url, title, status: status === "loading" ? "loading" : "complete" });
    }
  }

  private updateDiscarded({ id, discarded }: chrome.tabs.Tab): void {
    if (id === undefined) return;
    if (discarded) this.discarded.add(id);
    else this.discarded.delete(id);
  }

  private offers(tab: chrome.tabs.Tab): boolean {
    if (tab.id === undefined || tab.id < 0) return false;
    const url = tab.url || tab.pendingUrl || "";
    // A new tab is empty while it loads a page that nobody may debug.
    if (!tab.url && tab.pendingUrl && restriction(tab.pendingUrl)) return false;
    return this.options.isOffered({ id: tab.id, url });
  }

  private describe(tab: chrome.tabs.Tab, targetId: string | undefined): ExtensionTab {
    const tabId = tab.id as number;
    const access = this.options.accessOf(tabId);
    this.updateDiscarded(tab);
    return {
      tabId,
      url: (tab.url ?? "").slice(0, 16_000),
      title: tab.title ?? "",
      active: tabId === this.seen.front,
      attached: this.options.isAttached(tabId),
      status: tab.status === "loading" ? "loading" : "complete",
      ...(targetId === undefined ? {} : { targetId }),
      ...(tab.openerTabId === undefined ? {} : { openerTabId: tab.openerTabId }),
      ...(tab.discarded ? { discarded: true } : {}),
      ...(access ? { access } : {}),
    };
  }
}
