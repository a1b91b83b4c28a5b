/// <reference types="chrome" />
import { forbiddenUrl, type TabAccess } from "@debug-bridge/protocol";
import { readAccess, type Share, siteOf } from "../../settings/access.js";

const KEYS = ["chosenTabs", "stoppedTabs", "lockedSites"] as const;

export interface ShareSettings {
  readonly share: Share;
  readonly access: TabAccess;
}

/**
 * The tabs that the person shares with agents, each with its access, and those that the person stopped sharing. Kept
 * until the browser closes.
 */
export class Sharing {
  private chosen = new Map<number, TabAccess>();
  private stopped = new Set<number>();
  /** The sites of tabs that the setting locks to the site that they are on. */
  private sites = new Map<number, string>();

  constructor(private readonly settings: () => ShareSettings) {}

  async load(): Promise<void> {
    const kept = await chrome.storage.session.get([...KEYS]);
    const pairs = <Value>(list: unknown): [number, Value][] =>
      Array.isArray(list) ? (list as [number, Value][]) : [];
    this.chosen = new Map(pairs(kept.chosenTabs).map(([id, access]) => [id, readAccess(access)]));
    this.stopped = new Set(Array.isArray(kept.stoppedTabs) ? (kept.stoppedTabs as number[]) : []);
    this.sites = new Map(pairs<string>(kept.lockedSites));
  }

  /** What agents may do in a tab; `undefined` when it is not shared. */
  accessOf(tabId: number): TabAccess | undefined {
    if (this.stopped.has(tabId)) return undefined;
    const { share, access } = this.settings();
    const found = this.chosen.get(tabId) ?? (share === "all" ? access : undefined);
    if (found?.level !== "site" || found.site !== undefined) return found;
    const site = this.sites.get(tabId);
    return site === undefined ? { level: "read-only" } : { level: "site", site };
  }

  /** Whether agents may see a tab that shows this address. A lock without a site is to the first site that it shows. */
  isOffered({ id, url }: { readonly id: number; readonly url: string }): boolean {
    if (!this.accessOf(id)) return false;
    this.pinSite(id, url);
    const access = this.accessOf(id);
    return access !== undefined && forbiddenUrl(url, access) === undefined;
  }

  isStopped(tabId: number): boolean {
    return this.stopped.has(tabId);
  }

  /** Shares a tab; with another access, changes it. */
  share(tabId: number, access: TabAccess, url: string): void {
    this.stopped.delete(tabId);
    const site = access.level === "site" ? (access.site ?? siteOf(url)) : undefined;
    this.chosen.set(tabId, { level: access.level, ...(site === undefined ? {} : { site }) });
    this.save();
  }

  stop(tabId: number): void {
    this.chosen.delete(tabId);
    this.stopped.add(tabId);
    this.save();
  }

  /** Chrome replaced a tab. To the person it is the same tab. */
  replace(removed: number, added: number): void {
    if (this.stopped.delete(removed)) this.stopped.add(added);
    for (const map of [this.chosen, this.sites] as Map<number, unknown>[]) {
      if (map.has(removed)) map.set(added, map.get(removed));
      map.delete(removed);
    }
    this.save();
  }

  forget(tabId: number): void {
    const known = [this.chosen, this.stopped, this.sites].map((each) => each.delete(tabId));
    if (known.includes(true)) this.save();
  }

  private pinSite(tabId: number, url: string): void {
    const access = this.chosen.get(tabId) ?? this.settings().access;
    if (access.level !== "site" || access.site !== undefined) {
      if (this.sites.delete(tabId)) this.save();
      return;
    }
    const site = siteOf(url);
    if (site === undefined || this.sites.has(tabId)) return;
    this.sites.set(tabId, site);
    this.save();
  }

  private save(): void {
    void chrome.storage.session.set({
      chosenTabs: [...this.chosen],
      stoppedTabs: [...this.stopped],
      lockedSites: [...this.sites],
    });
  }
}
