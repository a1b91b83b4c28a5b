/** How long a tab goes on drawing after the last command. */
const REST_MS = 5_000;
const SMALLEST_CAST = { format: "jpeg", quality: 1, maxWidth: 4, maxHeight: 4 };
const CAST_EVENTS = new Set(["Page.screencastFrame", "Page.screencastVisibilityChanged"]);

interface Work {
  running: number;
  lastAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Tabs that agents work in and nobody sees. Once such a tab has drawn something, Chrome gives it one frame per second, so
 * that everything that waits for frames is slow, and a screenshot of a page that has not changed never completes. A page
 * with a screencast draws as if it were shown. So the smallest possible one runs while commands do, and a little longer.
 */
export class StandingCasts {
  private readonly work = new Map<number, Work>();
  /** Tabs with a screencast of a client: they draw anyway. */
  private readonly byClients = new Set<number>();
  private readonly byUs = new Set<number>();

  constructor(
    private readonly isSeen: (tabId: number) => boolean,
    /** Sends a command of ours, whose outcome does not matter. */
    private readonly send: (tabId: number, method: string, params: object) => void,
  ) {}

  /** A command was sent. The returned function must be called when it is complete. */
  begin(tabId: number, method: string): () => void {
    const work = this.work.get(tabId) ?? this.add(tabId);
    work.running++;
    if (method === "Page.startScreencast") {
      this.byClients.add(tabId);
      // Chrome refuses a second one.
      if (this.byUs.delete(tabId)) this.send(tabId, "Page.stopScreencast", {});
    }
    if (method === "Page.stopScreencast") this.byClients.delete(tabId);
    else this.review(tabId);
    return () => {
      work.running--;
      work.lastAt = Date.now();
      if (method === "Page.stopScreencast") this.review(tabId);
      work.timer ??= setTimeout(() => this.rest(tabId, work), REST_MS);
    };
  }

  /** Other tabs are seen now. */
  reviewAll(): void {
    for (const tabId of this.work.keys()) this.review(tabId);
  }

  /**
   * Whether an event belongs to our own screencast, so that clients must not see it: any, unless a client has one. Frames
   * arrive even after Chrome has confirmed the stop.
   */
  isOwnEvent(tabId: number, method: string): boolean {
    return CAST_EVENTS.has(method) && !this.byClients.has(tabId);
  }

  /** The debugger was detached from the tab. */
  forget(tabId: number): void {
    clearTimeout(this.work.get(tabId)?.timer);
    this.work.delete(tabId);
    this.byClients.delete(tabId);
    this.byUs.delete(tabId);
  }

  private add(tabId: number): Work {
    const work: Work = { running: 0, lastAt: 0, timer: undefined };
    this.work.set(tabId, work);
    return work;
  }

  private review(tabId: number): void {
    const isWanted = this.work.has(tabId) && !this.byClients.has(tabId) && !this.isSeen(tabId);
    if (isWanted === this.byUs.has(tabId) || this.byClients.has(tabId)) return;
    if (isWanted) {
      this.byUs.add(tabId);
      this.send(tabId, "Page.startScreencast", SMALLEST_CAST);
    } else {
      this.byUs.delete(tabId);
      this.send(tabId, "Page.stopScreencast", {});
    }
  }

  private rest(tabId: number, work: Work): void {
    work.timer = undefined;
    if (this.work.get(tabId) !== work || work.running > 0) return;
    const left = work.lastAt + REST_MS - Date.now();
    if (left > 0) work.timer = setTimeout(() => this.rest(tabId, work), left);
    else {
      this.work.delete(tabId);
      this.review(tabId);
    }
  }
}
