import { isOnSite } from "@debug-bridge/protocol";

/** A page that was sent elsewhere this long ago may still cause the request. */
const CAUSED_BY_PAGE_MS = 10_000;
const CAUSED_BY_CLIENT_MS = 3_000;

interface Frame {
  readonly id?: string;
  readonly parentId?: string;
  readonly url?: string;
}

/**
 * Follows who sends a locked tab to another site. What the page or a client caused stays blocked; what the person does is
 * carried out once the tab is taken from agents.
 */
export class Departures {
  private readonly byPage = new Map<number, number>();
  private readonly byClient = new Map<number, number>();

  constructor(private readonly now: () => number = Date.now) {}

  onCommand(tabId: number): void {
    this.byClient.set(tabId, this.now());
  }

  /** Whether an event of the debugger shows that the tab is on another site. History may bring it there without a request. */
  isDeparture(tabId: number, method: string, params: object, site: string): boolean {
    if (method === "Page.frameRequestedNavigation") this.byPage.set(tabId, this.now());
    if (method !== "Page.frameNavigated") return false;
    const { parentId, url = "" } = (params as { frame?: Frame }).frame ?? {};
    return parentId === undefined && /^(https?|file|ftp):/.test(url) && !isOnSite(url, site);
  }

  /** Whether the person, and nobody else, wanted to go to another site just now. */
  isByPerson(tabId: number): boolean {
    const now = this.now();
    return (
      now - (this.byPage.get(tabId) ?? 0) > CAUSED_BY_PAGE_MS &&
      now - (this.byClient.get(tabId) ?? 0) > CAUSED_BY_CLIENT_MS
    );
  }

  forget(tabId: number): void {
    this.byPage.delete(tabId);
    this.byClient.delete(tabId);
  }
}
