/// <reference types="chrome" />
import { explainAttach } from "../access/refusals.js";

const CDP_VERSION = "1.3";
const KEY = "attached";

/**
 * The tabs that the debugger is attached to. Each tab is attached once, even if several clients ask at the same moment;
 * commands wait until it is. The list is stored, because attachments outlive this worker.
 */
export class Attachments {
  private readonly attached = new Set<number>();
  private readonly attaching = new Map<number, Promise<void>>();
  /** Resolves when the attachments of an earlier worker are known. */
  readonly restored: Promise<void>;

  constructor(
    private readonly isDiscarded: (tabId: number) => boolean,
    /** Called before the first command of a client. */
    private readonly onAttached: (tabId: number) => Promise<unknown>,
    private readonly onDetached: (tabId: number) => void,
  ) {
    this.restored = this.restore();
  }

  has(tabId: number): boolean {
    return this.attached.has(tabId);
  }

  all(): number[] {
    return [...this.attached];
  }

  /** Resolves when the tab is attached; rejects with the reason if it cannot be. */
  attach(tabId: number): Promise<void> {
    if (this.attached.has(tabId)) return Promise.resolve();
    const running = this.attaching.get(tabId);
    if (running) return running;
    const promise = this.start(tabId).finally(() => this.attaching.delete(tabId));
    this.attaching.set(tabId, promise);
    return promise;
  }

  /** The attachment in progress that a command for this tab has to wait for. */
  pending(tabId: number): Promise<void> | undefined {
    return this.attaching.get(tabId);
  }

  async detach(tabId: number): Promise<void> {
    const running = this.attaching.get(tabId);
    // In this very turn, so that no reply that is under way reaches a client.
    if (!running && !this.forget(tabId)) return;
    await running?.catch(() => {});
    if (running && !this.forget(tabId)) return;
    await chrome.debugger.detach({ tabId }).catch(() => {});
  }

  /** Chrome froze a tab. A tab that agents work in has to keep running. */
  onFrozen(tabId: number): void {
    if (this.attached.has(tabId)) void thaw(tabId);
  }

  /** Chrome detached the debugger. */
  forget(tabId: number): boolean {
    const had = this.attached.delete(tabId);
    this.onDetached(tabId);
    if (had) this.save();
    return had;
  }

  private async start(tabId: number): Promise<void> {
    try {
      // A discarded tab has no page to debug.
      if (this.isDiscarded(tabId)) await chrome.tabs.reload(tabId);
      const [{ frozen }] = await Promise.all([
        chrome.tabs.get(tabId),
        chrome.debugger.attach({ tabId }, CDP_VERSION),
      ]);
      if (frozen) await thaw(tabId);
    } catch (thrown) {
      const message = (thrown as Error).message;
      // An earlier worker attached it and was stopped before it could store that.
      const isOurs = /already attached/i.test(message) && (await this.answers(tabId));
      if (!isOurs) throw new Error(explainAttach(message, tabId));
    }
    await this.onAttached(tabId);
    this.attached.add(tabId);
    this.save();
  }

  private async answers(tabId: number): Promise<boolean> {
    return chrome.debugger.sendCommand({ tabId }, "Schema.getDomains").then(
      () => true,
      (thrown: Error) => !/not attached/i.test(thrown.message),
    );
  }

  private save(): void {
    void chrome.storage.session.set({ [KEY]: [...this.attached] });
  }

  private async restore(): Promise<void> {
    const { [KEY]: kept } = await chrome.storage.session.get(KEY);
    if (!Array.isArray(kept) || kept.length === 0) return;
    const targets = await chrome.debugger.getTargets();
    const live = new Set(targets.filter(({ attached }) => attached).map(({ tabId }) => tabId));
    for (const tabId of kept as number[]) if (live.has(tabId)) this.attached.add(tabId);
  }
}

/** In a frozen page timers, requests and promises never finish. */
async function thaw(tabId: number): Promise<void> {
  await chrome.debugger
    .sendCommand({ tabId }, "Page.setWebLifecycleState", { state: "active" })
    .catch(() => {});
}
