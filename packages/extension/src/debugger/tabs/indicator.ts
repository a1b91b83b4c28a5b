/// <reference types="chrome" />
import { sendQuietly } from "../cdp/cdp-runner.js";

const MIN_CURSOR_INTERVAL_MS = 80;
const GROUP = "Agents";
const COLOUR = { r: 255, g: 122, b: 0, a: 0.85 };
const OUTLINE = { r: 255, g: 255, b: 255, a: 0.95 };
/** An arrow of four points; the first one is its tip. */
const ARROW = [
  [0, 0],
  [0, 20],
  [6, 14],
  [15, 14],
] as const;

/**
 * Shows where agents work: a cursor that Chrome draws above the page and not in it, and a coloured group for their tabs.
 * Errors are ignored, because nothing depends on it.
 */
export class Indicator {
  private readonly lastMove = new Map<number, number>();
  private readonly enabled = new Set<number>();
  private readonly grouped = new Map<number, number>();

  /** Draws the cursor of an agent at this point of the page. */
  showCursor(tabId: number, x: number, y: number): void {
    const now = Date.now();
    if (now - (this.lastMove.get(tabId) ?? 0) < MIN_CURSOR_INTERVAL_MS) return;
    this.lastMove.set(tabId, now);
    if (!this.enabled.has(tabId)) {
      this.enabled.add(tabId);
      sendQuietly(tabId, "DOM.enable", {});
      sendQuietly(tabId, "Overlay.enable", {});
    }
    const quad = ARROW.flatMap(([dx, dy]) => [x + dx, y + dy]);
    sendQuietly(tabId, "Overlay.highlightQuad", { quad, color: COLOUR, outlineColor: OUTLINE });
  }

  /** Hides the cursor, because a screenshot must show only the page. */
  hideCursor(tabId: number): void {
    if (this.enabled.has(tabId) && this.lastMove.delete(tabId))
      sendQuietly(tabId, "Overlay.hideHighlight", {});
  }

  /** Groups or ungroups a tab after the clients that use it have changed. */
  async setClients(tabId: number, clients: readonly string[]): Promise<void> {
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
      // A group that the person made stays as it is.
      if (tab.groupId !== undefined && tab.groupId !== -1) return;
      const own = await chrome.tabGroups.query({ windowId: tab.windowId, title: GROUP });
      const group = await chrome.tabs.group({
        tabIds: [tabId],
        ...(own[0] ? { groupId: own[0].id } : { createProperties: { windowId: tab.windowId } }),
      });
      this.grouped.set(tabId, group);
      await chrome.tabGroups.update(group, { title: GROUP, color: "orange" });
    } catch {
      // The tab was closed, is pinned, or its window has no groups.
    }
  }

  forget(tabId: number): void {
    this.enabled.delete(tabId);
    this.lastMove.delete(tabId);
  }
}
