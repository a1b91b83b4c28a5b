import type { CapturedDocuments } from "./documents.js";
import { errorText } from "./envelope.js";

/** How long dropped events are counted before they are reported. */
const COUNT_MS = 1_000;
/** How long documents have to report what they dropped themselves. */
const ANSWER_MS = 50;

/** Counts dropped events per tab and reports the sums to the hub. */
export class DropReporter {
  isConnected = false;
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(
    private readonly documents: CapturedDocuments,
    private readonly send: (text: string) => void,
  ) {}

  count(tabId: number, count: number): void {
    const tab = this.documents.tabs.get(tabId);
    if (!tab || count === 0) return;
    tab.dropped += count;
    this.schedule(tabId);
  }

  /** Schedules a report for every tab with dropped events. */
  scheduleAll(): void {
    for (const { tabId, dropped } of this.documents.tabs.values()) if (dropped > 0) this.schedule(tabId);
  }

  /** Counts for a second, then asks the tab's documents what they dropped themselves, and reports the sum. */
  schedule(tabId: number): void {
    if (this.timers.has(tabId)) return;
    const ask = (): void => {
      for (const document of this.documents.live())
        if (document.tabId === tabId) document.post({ kind: "ask-dropped" });
      this.timers.set(
        tabId,
        setTimeout(() => this.report(tabId), ANSWER_MS),
      );
    };
    this.timers.set(tabId, setTimeout(ask, COUNT_MS));
  }

  private report(tabId: number): void {
    this.timers.delete(tabId);
    const tab = this.documents.tabs.get(tabId);
    if (!tab || tab.dropped === 0 || !this.isConnected) return;
    const { dropped, url, title } = tab;
    tab.dropped = 0;
    const text = `too many console events: ${dropped} of this tab were dropped`;
    this.send(errorText("RATE_LIMIT", text, { dropped, tabId }, { tabId, url, title }));
  }
}
