/// <reference types="chrome" />

const CURSOR_EVERY_MS = 80;
const COLOUR = { r: 255, g: 122, b: 0, a: 0.85 };
const OUTLINE = { r: 255, g: 255, b: 255, a: 0.95 };
/** An arrow of four points; the first is where it points to. */
const ARROW = [
  [0, 0],
  [0, 20],
  [6, 14],
  [15, 14],
] as const;

/**
 * Shows where agents work: a cursor where they point, drawn by Chrome above the page and not in it, and a coloured
 * group for their tabs. Whatever goes wrong here does not matter to anybody.
 */
export class Indicator {
  private readonly lastMove = new Map<number, number>();
  private readonly enabled = new Set<number>();
  private readonly grouped = new Map<number, number>();

  /** The mouse of an agent is at this point of the page. */
  pointed(tabId: number, x: number, y: number): void {
    const now = Date.now();
    if (now - (this.lastMove.get(tabId) ?? 0) < CURSOR_EVERY_MS) return;
    this.lastMove.set(tabId, now);
    if (!this.enabled.has(tabId)) {
      this.enabled.add(tabId);
      this.send(tabId, "DOM.enable", {});
      this.send(tabId, "Overlay.enable", {});
    }
    const quad = ARROW.flatMap(([dx, dy]) => [x + dx, y + dy]);
    this.send(tabId, "Overlay.highlightQuad", { quad, color: COLOUR, outlineColor: OUTLINE });
  }

  /** A picture of the page is about to be taken: it shows the page alone. */
  hide(tabId: number): void {
    if (this.enabled.has(tabId) && this.lastMove.delete(tabId)) this.send(tabId, "Overlay.hideHighlight", {});
  }

  /** Who works in a tab has changed. */
  async used(tabId: number, clients: readonly string[]): Promise<void> {
    try {
      if (clients.length === 0) {
        const group = this.grouped.get(tabId);
        this.grouped.delete(tabId);
        const tab = await chrome.tabs.get(tabId);
        if (group !== undefined && tab.groupId === group) await chrome.tabs.ungroup(tabId);
        return;
      }
      if (this.grouped.has(tabId)) return;
      const tab = await chrome.tabs.get(tabId);
      // A group of the person's own stays as it is.
      if (tab.groupId !== undefined && tab.groupId !== -1) return;
      const own = await chrome.tabGroups.query({ windowId: tab.windowId, title: GROUP });
      const group = await chrome.tabs.group({
        tabIds: [tabId],
        ...(own[0] ? { groupId: own[0].id } : { createProperties: { windowId: tab.windowId } }),
      });
      this.grouped.set(tabId, group);
      await chrome.tabGroups.update(group, { title: GROUP, color: "orange" });
    } catch {
      // The tab is gone, is pinned, or its window takes no groups.
    }
  }

  forget(tabId: number): void {
    this.enabled.delete(tabId);
    this.lastMove.delete(tabId);
  }

  private send(tabId: number, method: string, params: object): void {
    chrome.debugger.sendCommand({ tabId }, method, params as Record<string, unknown>, () => {
      void chrome.runtime.lastError;
    });
  }
}

const GROUP = "Agents";
