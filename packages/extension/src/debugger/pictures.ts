/// <reference types="chrome" />

/** A page that is shown is drawn sooner. */
const DRAWN_WITHIN_MS = 60;
const SMALLEST = { format: "jpeg", quality: 1, maxWidth: 4, maxHeight: 4 };
const CAST_EVENTS = new Set(["Page.screencastFrame", "Page.screencastVisibilityChanged"]);

/**
 * Pictures of pages that are not shown. Chrome wakes such a page and has it draw, but where nothing has changed in the
 * page since it fell asleep, it draws nothing and the picture never comes. A page that is cast does draw, without
 * being shown to anybody: so a picture that is late gets the smallest cast there is until it comes.
 */
export class Pictures {
  /** Tabs that a client casts: they draw anyway. */
  private readonly castByClients = new Set<number>();
  /** Tabs that are cast for a picture's sake, with how many pictures are waited for. */
  private readonly castByUs = new Map<number, number>();

  /** A command of a client goes to a tab. */
  note(tabId: number, method: string): void {
    if (method === "Page.stopScreencast") this.castByClients.delete(tabId);
    if (method !== "Page.startScreencast") return;
    this.castByClients.add(tabId);
    this.castByUs.delete(tabId);
  }

  /** A picture was asked for; what is returned has to be called when it is there. */
  expect(tabId: number): () => void {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.startCast(tabId);
    }, DRAWN_WITHIN_MS);
    return () => {
      clearTimeout(timer);
      if (isLate) this.stopCast(tabId);
    };
  }

  /** Whether an event is of our doing, and nobody is to hear of it. */
  isOwnEvent(tabId: number, method: string): boolean {
    return this.castByUs.has(tabId) && CAST_EVENTS.has(method);
  }

  /** The debugger has left the tab. */
  forget(tabId: number): void {
    this.castByClients.delete(tabId);
    this.castByUs.delete(tabId);
  }

  private startCast(tabId: number): void {
    if (this.castByClients.has(tabId)) return;
    const waiting = this.castByUs.get(tabId) ?? 0;
    this.castByUs.set(tabId, waiting + 1);
    if (waiting === 0) send(tabId, "Page.startScreencast", SMALLEST);
  }

  private stopCast(tabId: number): void {
    const waiting = this.castByUs.get(tabId);
    if (waiting === undefined) return;
    this.castByUs.set(tabId, waiting - 1);
    if (waiting > 1) return;
    // Frames may still come until Chrome says that it has stopped.
    send(tabId, "Page.stopScreencast", {}, () => {
      if (this.castByUs.get(tabId) === 0) this.castByUs.delete(tabId);
    });
  }
}

function send(tabId: number, method: string, params: object, done = (): void => {}): void {
  chrome.debugger.sendCommand({ tabId }, method, params as Record<string, unknown>, () => {
    // Reading it keeps Chrome from reporting an error: the tab may be gone, and nothing is lost then.
    void chrome.runtime.lastError;
    done();
  });
}
