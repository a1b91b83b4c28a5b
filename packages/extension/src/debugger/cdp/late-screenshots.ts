/// <reference types="chrome" />

/** A visible page is drawn sooner than this. */
const LATE_AFTER_MS = 60;
const SMALLEST_CAST = { format: "jpeg", quality: 1, maxWidth: 4, maxHeight: 4 };
const CAST_EVENTS = new Set(["Page.screencastFrame", "Page.screencastVisibilityChanged"]);

/**
 * Screenshots of hidden pages. Chrome asks such a page to draw. If nothing has changed since it was hidden, it draws
 * nothing, and the screenshot never completes. A page with a screencast does draw. So while a screenshot is late, the
 * smallest possible screencast runs.
 */
export class LateScreenshots {
  /** Tabs with a screencast of a client: they draw anyway. */
  private readonly castByClients = new Set<number>();
  /** Tabs with our own screencast, and how many screenshots wait for it. */
  private readonly castByUs = new Map<number, number>();

  /** Follows the screencasts that clients start and stop. */
  onCommand(tabId: number, method: string): void {
    if (method === "Page.stopScreencast") this.castByClients.delete(tabId);
    if (method !== "Page.startScreencast") return;
    this.castByClients.add(tabId);
    this.castByUs.delete(tabId);
  }

  /** A screenshot was requested. The returned function must be called when it is complete. */
  begin(tabId: number): () => void {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.startCast(tabId);
    }, LATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      if (isLate) this.stopCast(tabId);
    };
  }

  /**
   * Whether an event belongs to our own screencast, so that clients must not see it: any, unless a client has one. Frames
   * arrive even after Chrome has confirmed the stop.
   */
  isOwnEvent(tabId: number, method: string): boolean {
    return CAST_EVENTS.has(method) && !this.castByClients.has(tabId);
  }

  /** The debugger was detached from the tab. */
  forget(tabId: number): void {
    this.castByClients.delete(tabId);
    this.castByUs.delete(tabId);
  }

  private startCast(tabId: number): void {
    if (this.castByClients.has(tabId)) return;
    const waiting = this.castByUs.get(tabId) ?? 0;
    this.castByUs.set(tabId, waiting + 1);
    if (waiting === 0) send(tabId, "Page.startScreencast", SMALLEST_CAST);
  }

  private stopCast(tabId: number): void {
    const waiting = this.castByUs.get(tabId);
    if (waiting === undefined) return;
    this.castByUs.set(tabId, waiting - 1);
    if (waiting > 1) return;
    this.castByUs.delete(tabId);
    send(tabId, "Page.stopScreencast", {});
  }
}

function send(tabId: number, method: string, params: object): void {
  chrome.debugger.sendCommand({ tabId }, method, params as Record<string, unknown>, () => {
    // Reading it keeps Chrome from reporting an error. The tab may be closed, and that does not matter.
    void chrome.runtime.lastError;
  });
}
