/// <reference types="chrome" />
import type { CdpAccess, Grant, TabAccess } from "@debug-bridge/protocol";
import type { Settings, SettingsChange } from "../../settings/settings.js";
import { type GrantRequest, GrantRequests } from "./grant-requests.js";
import { LockRules } from "./lock-rules.js";
import { Sharing } from "./sharing.js";

const UNNAMED = "An unnamed client";
/** Waiting clients get the tab in front, all tabs, or nothing. */
export type WaitingAnswer = "tab" | "all" | "no";

export interface DecisionsOptions {
  readonly settings: () => Settings;
  readonly change: (change: SettingsChange) => Promise<void>;
  /** The tabs that agents may use have changed. */
  readonly onSharingChanged: () => void;
  /** What the person is asked has changed. */
  readonly onQuestionsChanged: () => void;
  readonly onRefused: (clients: readonly string[]) => void;
}

/** What the person decided about agents: shared tabs with their access, grants, and the answers to open questions. */
export class Decisions {
  readonly sharing: Sharing;
  readonly locks = new LockRules();
  private readonly requests: GrantRequests;
  private waitingClients: readonly string[] = [];

  constructor(private readonly options: DecisionsOptions) {
    this.sharing = new Sharing(() => options.settings());
    this.requests = new GrantRequests(() => options.onQuestionsChanged());
  }

  async load(): Promise<void> {
    await Promise.all([this.sharing.load(), this.locks.load()]);
  }

  /** Resolves when the lock of a tab is in force; nothing when it is, or when there is none. */
  enforce(tabId: number): Promise<void> | undefined {
    const access = this.sharing.accessOf(tabId);
    const site = access?.level === "site" ? access.site : undefined;
    if (site === undefined || this.locks.siteOf(tabId) === site) return this.locks.pending(tabId);
    return this.locks.set(tabId, site);
  }

  /** Removes the lock of a tab that agents do not use, or that is no longer locked. */
  releaseLock(tabId: number): void {
    if (this.locks.siteOf(tabId) !== undefined) void this.locks.set(tabId, undefined);
  }

  /** What a client may do in a tab; without a tab, in the browser. */
  accessFor(tabId: number | undefined, client: string | undefined): CdpAccess | undefined {
    const { access, automation } = this.options.settings();
    const found = tabId === undefined ? access : this.sharing.accessOf(tabId);
    if (!found) return undefined;
    const grants = automation && found.level === "full" ? "all" : this.grantsOf(client ?? UNNAMED);
    const { level, site } = found;
    return { level, ...(site === undefined ? {} : { site }), grants };
  }

  private grantsOf(client: string): ReadonlySet<Grant> {
    return new Set([...(this.options.settings().grants[client] ?? []), ...this.requests.grantsOf(client)]);
  }

  // --- the person

  async share(tabId: number, access?: TabAccess): Promise<void> {
    const { url = "" } = await chrome.tabs.get(tabId);
    this.sharing.share(tabId, access ?? this.options.settings().access, url);
    this.options.onSharingChanged();
  }

  stop(tabIds: readonly number[]): void {
    for (const tabId of tabIds) this.sharing.stop(tabId);
    this.options.onSharingChanged();
  }

  get waiting(): readonly string[] {
    return this.waitingClients;
  }

  setWaiting(clients: readonly string[]): void {
    if (clients.length === 0 && this.waitingClients.length === 0) return;
    this.waitingClients = clients;
    this.options.onQuestionsChanged();
  }

  async answerWaiting(answer: WaitingAnswer, tabId: number | undefined): Promise<void> {
    const clients = this.waitingClients;
    this.waitingClients = [];
    if (answer === "all") await this.options.change({ share: "all" });
    else if (answer === "tab" && tabId !== undefined) await this.share(tabId);
    else {
      for (const client of clients) this.requests.refuseAll(client);
      this.options.onRefused(clients);
    }
    this.options.onQuestionsChanged();
  }

  get questions(): GrantRequest[] {
    return this.requests.all();
  }

  ask(client: string | undefined, grant: Grant, method: string): Promise<boolean> {
    return this.requests.ask(client ?? UNNAMED, grant, method);
  }

  async answerGrant(id: number, isAllowed: boolean, remember: boolean): Promise<void> {
    const request = this.requests.answer(id, isAllowed);
    if (request && isAllowed && remember)
      await this.options.change({ grant: { client: request.client, grant: request.grant } });
  }

  async forgetClient(client: string): Promise<void> {
    this.requests.forget(client);
    await this.options.change({ forgetClient: client });
  }
}
