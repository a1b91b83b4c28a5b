/// <reference types="chrome" />

/** Which tabs the person can see. */
export class SeenTabs {
  private active: ReadonlySet<number> = new Set();
  private isFocused = false;
  /** The active tab of the window that was used last. */
  front: number | undefined;

  /** Asks Chrome again. */
  async update(): Promise<void> {
    const [active, focused] = await Promise.all([
      chrome.tabs.query({ active: true }),
      // There may be no window.
      chrome.windows.getLastFocused().catch(() => undefined),
    ]);
    this.active = new Set(active.flatMap(({ id }) => id ?? []));
    this.isFocused = focused?.focused === true;
    this.front = active.find(({ windowId }) => windowId === focused?.id)?.id;
  }

  /** Whether a tab is the active one of its window. That window may be minimised, or lie behind others. */
  isActive(tabId: number): boolean {
    return this.active.has(tabId);
  }

  /** Whether the person certainly sees the tab. */
  isSeen(tabId: number): boolean {
    return this.isFocused && tabId === this.front;
  }
}
