import { type ExtensionTab, restriction } from "@debug-bridge/protocol";

/** A target as the browser describes it. */
export interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly subtype?: string;
  readonly title: string;
  readonly url: string;
  readonly openerId?: string;
  readonly browserContextId?: string;
}

/** A tab of the browser. The ids count up: CDP itself has none that are numbers. */
export interface ChromeTab {
  readonly tabId: number;
  readonly targetId: string;
  readonly openerId: string | undefined;
  url: string;
  title: string;
  /** The session that is attached to it. */
  sessionId: string | undefined;
  /** Until then commands wait. */
  attaching: Promise<unknown> | undefined;
}

export interface ChromeTabsOptions {
  onOpened(tab: ExtensionTab): void;
  onClosed(tab: ChromeTab): void;
  onUpdated(change: { tabId: number; url?: string; title?: string; active?: boolean }): void;
}

/** The tabs that agents may use: those of the person's own profile that show pages of the web or files. */
export class ChromeTabs {
  /** The profile of the person. Private windows have another, and so has what other programs open apart. */
  profile: string | undefined;
  private readonly byTarget = new Map<string, ChromeTab>();
  private readonly byId = new Map<number, ChromeTab>();
  private front: string | undefined;
  private nextId = 1;

  constructor(private readonly options: ChromeTabsOptions) {}

  get(tabId: number): ChromeTab | undefined {
    return this.byId.get(tabId);
  }

  ofTarget(targetId: string): ChromeTab | undefined {
    return this.byTarget.get(targetId);
  }

  list(): ExtensionTab[] {
    return [...this.byId.values()].map((tab) => this.describe(tab));
  }

  /** The browser reports a target, for the first time or because it changed. */
  onTarget(info: TargetInfo): void {
    const known = this.byTarget.get(info.targetId);
    if (!this.isOffered(info)) {
      if (known) this.remove(info.targetId);
    } else if (known) this.update(known, info);
    else this.options.onOpened(this.describe(this.add(info)));
  }

  remove(targetId: string): void {
    const tab = this.byTarget.get(targetId);
    if (!tab) return;
    this.byTarget.delete(targetId);
    this.byId.delete(tab.tabId);
    this.options.onClosed(tab);
  }

  /** The tab that was used last. */
  setFront(targetId: string | undefined): void {
    if (targetId === this.front) return;
    const changed = [this.front, targetId];
    this.front = targetId;
    for (const id of changed) {
      const tab = id === undefined ? undefined : this.byTarget.get(id);
      if (tab) this.options.onUpdated({ tabId: tab.tabId, active: id === targetId });
    }
  }

  describe({ tabId, targetId, openerId, url, title, sessionId }: ChromeTab): ExtensionTab {
    const opener = openerId === undefined ? undefined : this.byTarget.get(openerId);
    return {
      ...{ tabId, targetId, title, status: "complete" },
      url: url.slice(0, 16_000),
      active: targetId === this.front,
      attached: sessionId !== undefined,
      access: { level: "full" },
      ...(opener ? { openerTabId: opener.tabId } : {}),
    };
  }

  private isOffered({ type, subtype, url, browserContextId }: TargetInfo): boolean {
    const isElsewhere = this.profile !== undefined && browserContextId !== this.profile;
    return type === "page" && !subtype && !isElsewhere && restriction(url) === undefined;
  }

  private add({ targetId, url, title, openerId }: TargetInfo): ChromeTab {
    const tab: ChromeTab = {
      tabId: this.nextId++,
      targetId,
      openerId,
      url,
      title,
      sessionId: undefined,
      attaching: undefined,
    };
    this.byTarget.set(targetId, tab);
    this.byId.set(tab.tabId, tab);
    return tab;
  }

  private update(tab: ChromeTab, { url, title }: TargetInfo): void {
    const change = {
      ...(url === tab.url ? {} : { url: url.slice(0, 16_000) }),
      ...(title === tab.title ? {} : { title }),
    };
    tab.url = url;
    tab.title = title;
    if (Object.keys(change).length > 0) this.options.onUpdated({ tabId: tab.tabId, ...change });
  }
}
