/// <reference types="chrome" />
import type { ExtensionTab } from "@debug-bridge/protocol";
import { restriction } from "./restricted.js";

export interface TabListOptions {
  /** Whether agents may see a tab. */
  readonly isOffered: (tab: { id: number; url: string }) => boolean;
  readonly isAttached: (tabId: number) => boolean;
  readonly onOpened: (tab: ExtensionTab) => void;
  readonly onClosed: (tabId: number) => void;
  readonly onUpdated: (change: {
    tabId: number;
    url?: string;
    title?: string;
    status?: "loading" | "complete";
  }) => void;
}

/** The tabs that the relay knows of, kept in step with those that there are and that it may know of. */
export class TabList {
  private readonly told = new Set<number>();
  private readonly telling = new Set<number>();
  private readonly asleep = new Set<number>();
  /** Lists that Chrome has not answered yet. */
  private listing = 0;
  /** Tabs of which something was heard while they were listed or told of: what was said may be old already. */
  private readonly changed = new Set<number>();

  constructor(private readonly options: TabListOptions) {}

  /** All tabs on offer; from here on the relay hears of changes. */
  async list(): Promise<ExtensionTab[]> {
    this.listing++;
    const [tabs, targets] = await Promise.all([chrome.tabs.query({}), chrome.debugger.getTargets()]).finally(
      () => this.listing--,
    );
    const targetIds = new Map(targets.map(({ tabId, id }) => [tabId, id]));
    const offered = tabs.filter((tab) => this.offers(tab));
    this.told.clear();
    for (const { id } of offered) this.told.add(id as number);
    if (this.listing === 0) for (const id of [...this.changed]) void this.catchUp(id);
    return offered.map((tab) => this.describe(tab, targetIds.get(tab.id as number)));
  }

  /** A tab as the relay sees it, once Chrome has a target for it. */
  async describeTab(tabId: number): Promise<ExtensionTab> {
    for (let attempt = 0; ; attempt++) {
      const targets = await chrome.debugger.getTargets();
      const tab = await chrome.tabs.get(tabId);
      const target = targets.find((each) => each.tabId === tabId);
      if (target || attempt >= 10) return this.describe(tab, target?.id);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  knows(tabId: number): boolean {
    return this.told.has(tabId);
  }

  /** Whether Chrome has put the tab to sleep. */
  isAsleep(tabId: number): boolean {
    return this.asleep.has(tabId);
  }

  /** It was told of as part of an answer. */
  noteTold(tabId: number): void {
    this.told.add(tabId);
  }

  created(tab: chrome.tabs.Tab): void {
    if (tab.id !== undefined && this.offers(tab)) void this.open(tab.id);
  }

  updated(
    tabId: number,
    change: { url?: string; title?: string; status?: string },
    tab: chrome.tabs.Tab,
  ): void {
    this.noteSleep(tab);
    this.noteChange(tabId);
    if (!this.offers(tab)) {
      this.close(tabId);
      return;
    }
    if (!this.told.has(tabId)) {
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

  removed(tabId: number): void {
    this.noteChange(tabId);
    this.close(tabId);
  }

  /** Looks at all tabs anew, since what may be seen has changed. */
  async review(): Promise<void> {
    for (const tab of await chrome.tabs.query({})) {
      if (tab.id === undefined) continue;
      if (!this.offers(tab)) this.close(tab.id);
      else if (!this.told.has(tab.id)) await this.open(tab.id);
    }
  }

  close(tabId: number): void {
    if (this.told.delete(tabId)) this.options.onClosed(tabId);
  }

  private async open(tabId: number): Promise<void> {
    if (this.told.has(tabId) || this.telling.has(tabId)) return;
    if (this.listing > 0) {
      this.changed.add(tabId);
      return;
    }
    this.telling.add(tabId);
    try {
      const tab = await this.describeTab(tabId);
      if (this.told.has(tabId) || !this.options.isOffered({ id: tabId, url: tab.url })) return;
      this.told.add(tabId);
      this.options.onOpened(tab);
    } catch {
      // It was closed in the meantime.
    } finally {
      this.telling.delete(tabId);
      if (this.listing === 0 && this.changed.has(tabId)) void this.catchUp(tabId);
    }
  }

  private noteChange(tabId: number): void {
    if (this.listing > 0 || this.telling.has(tabId)) this.changed.add(tabId);
  }

  /** Tells how a tab is now. Chrome is asked anew: of an event and an answer nobody knows which is the older. */
  private async catchUp(tabId: number): Promise<void> {
    this.changed.delete(tabId);
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (!tab || !this.offers(tab)) this.close(tabId);
    else if (!this.told.has(tabId)) await this.open(tabId);
    else {
      const { url = "", title = "", status } = tab;
      this.options.onUpdated({ tabId, url, title, status: status === "loading" ? "loading" : "complete" });
    }
  }

  private noteSleep({ id, discarded }: chrome.tabs.Tab): void {
    if (id === undefined) return;
    if (discarded) this.asleep.add(id);
    else this.asleep.delete(id);
  }

  private offers(tab: chrome.tabs.Tab): boolean {
    if (tab.id === undefined || tab.id < 0) return false;
    const url = tab.url || tab.pendingUrl || "";
    // On its way to a page that nobody may debug, a new tab is still empty.
    if (!tab.url && tab.pendingUrl && restriction(tab.pendingUrl)) return false;
    return this.options.isOffered({ id: tab.id, url });
  }

  private describe(tab: chrome.tabs.Tab, targetId: string | undefined): ExtensionTab {
    const tabId = tab.id as number;
    this.noteSleep(tab);
    return {
      tabId,
      url: (tab.url ?? "").slice(0, 16_000),
      title: tab.title ?? "",
      active: tab.active,
      attached: this.options.isAttached(tabId),
      status: tab.status === "loading" ? "loading" : "complete",
      ...(targetId === undefined ? {} : { targetId }),
      ...(tab.openerTabId === undefined ? {} : { openerTabId: tab.openerTabId }),
      ...(tab.discarded ? { discarded: true } : {}),
    };
  }
}
