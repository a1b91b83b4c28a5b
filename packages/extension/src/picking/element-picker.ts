import { send } from "./cdp.js";

export const HIGHLIGHT = {
  showInfo: true,
  showAccessibilityInfo: true,
  contentColor: { r: 36, g: 86, b: 214, a: 0.25 },
  paddingColor: { r: 36, g: 86, b: 214, a: 0.12 },
  borderColor: { r: 36, g: 86, b: 214, a: 0.9 },
};

/**
 * Lets the person point at an element. Chrome itself draws over the page and takes the click, so the page neither sees
 * it nor can pretend it.
 */
export class ElementPicker {
  /** The tabs in which the person picks now. */
  private readonly picking = new Map<number, (backendNodeId: number | undefined) => void>();

  /** The backend node that the person clicked; nothing when they cancelled, in the page or with `signal`. */
  async pick(tabId: number, signal: AbortSignal, onReady: () => void): Promise<number | undefined> {
    this.picking.get(tabId)?.(undefined);
    await send(tabId, "DOM.enable");
    await send(tabId, "Overlay.enable");
    const picked = new Promise<number | undefined>((resolve) => {
      this.picking.set(tabId, resolve);
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
      if (signal.aborted) resolve(undefined);
    });
    try {
      await send(tabId, "Overlay.setInspectMode", { mode: "searchForNode", highlightConfig: HIGHLIGHT });
      onReady();
      return await picked;
    } finally {
      this.picking.delete(tabId);
      await send(tabId, "Overlay.setInspectMode", { mode: "none", highlightConfig: {} }).catch(() => {});
      await send(tabId, "Overlay.hideHighlight").catch(() => {});
    }
  }

  /** Picks an element that the person marked in another way. */
  choose(tabId: number, backendNodeId: number): void {
    this.picking.get(tabId)?.(backendNodeId);
  }

  /** Whether an event of Chrome is the answer to a pick. It is for nobody else. */
  isOwnEvent(tabId: number, method: string, params: object | undefined): boolean {
    const resolve = this.picking.get(tabId);
    if (!resolve || !method.startsWith("Overlay.")) return false;
    if (method === "Overlay.inspectNodeRequested")
      resolve((params as { backendNodeId?: number }).backendNodeId);
    else if (method === "Overlay.inspectModeCanceled") resolve(undefined);
    return true;
  }

  /** The debugger left the tab. */
  forget(tabId: number): void {
    this.picking.get(tabId)?.(undefined);
  }
}
