/// <reference types="chrome" />
import { explainAttach } from "./restricted.js";

const VERSION = "1.3";
const KEY = "attached";

/**
 * The tabs that the debugger is attached to. Each is attached once, whoever asks at the same moment; what is asked of
 * it meanwhile waits its turn. The list outlives this worker, as the attachments do.
 */
export class Attachments {
  private readonly attached = new Set<number>();
  private readonly attaching = new Map<number, Promise<void>>();
  /** Resolves when it is known what an earlier worker had attached. */
  readonly restored: Promise<void>;

  constructor(
    private readonly isAsleep: (tabId: number) => boolean,
    private readonly onGone: (tabId: number) => void,
  ) {
    this.restored = this.restore();
  }

  has(tabId: number): boolean {
    return this.attached.has(tabId);
  }

  all(): number[] {
    return [...this.attached];
  }

  /** Resolves when the tab is attached; rejects with why it cannot be. */
  attach(tabId: number): Promise<void> {
    if (this.attached.has(tabId)) return Promise.resolve();
    const running = this.attaching.get(tabId);
    if (running) return running;
    const promise = this.begin(tabId).finally(() => this.attaching.delete(tabId));
    this.attaching.set(tabId, promise);
    return promise;
  }

  /** What a command for a tab has to wait for, if anything. */
  pending(tabId: number): Promise<void> | undefined {
    return this.attaching.get(tabId);
  }

  async detach(tabId: number): Promise<void> {
    await this.attaching.get(tabId)?.catch(() => {});
    if (!this.forget(tabId)) return;
    await chrome.debugger.detach({ tabId }).catch(() => {});
  }

  /** Chrome froze a tab; one that agents work in has to go on. */
  frozen(tabId: number): void {
    if (this.attached.has(tabId)) void thaw(tabId);
  }

  /** Chrome detached it. */
  forget(tabId: number): boolean {
    const had = this.attached.delete(tabId);
    this.onGone(tabId);
    if (had) this.save();
    return had;
  }

  private async begin(tabId: number): Promise<void> {
    try {
      // A tab that is asleep has no page to debug.
      if (this.isAsleep(tabId)) await chrome.tabs.reload(tabId);
      const [{ frozen }] = await Promise.all([
        chrome.tabs.get(tabId),
        chrome.debugger.attach({ tabId }, VERSION),
      ]);
      if (frozen) await thaw(tabId);
    } catch (thrown) {
      const message = (thrown as Error).message;
      // An earlier worker attached it and did not live to write it down.
      const isOurs = /already attached/i.test(message) && (await this.answers(tabId));
      if (!isOurs) throw new Error(explainAttach(message, tabId));
    }
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

/** In a frozen page no timer, no request and no promise goes on, and whoever waits for one waits for ever. */
async function thaw(tabId: number): Promise<void> {
  await chrome.debugger
    .sendCommand({ tabId }, "Page.setWebLifecycleState", { state: "active" })
    .catch(() => {});
}
