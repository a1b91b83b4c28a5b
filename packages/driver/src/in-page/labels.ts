import type { PageEngine } from "@debug-bridge/page";

/** Draws refs over the elements that have them, for pictures. */
export class Labels {
  private layer: HTMLElement | undefined;

  constructor(private readonly engine: Pick<PageEngine, "view" | "ignore">) {}

  /** Labels the viewport, or the whole page. Returns how many elements have a label. */
  show(wholePage: boolean): number {
    this.hide();
    const { view } = this.engine;
    const { page } = view;
    const layer = page.createElement("div");
    const position = wholePage ? "position:absolute;left:0;top:0" : "position:fixed;inset:0";
    layer.style.cssText = `all:initial;${position};pointer-events:none;z-index:2147483647`;
    this.engine.ignore(layer);
    const { innerWidth, innerHeight, scrollX, scrollY } = page.defaultView as Window;
    const origin = wholePage ? { x: scrollX, y: scrollY } : { x: 0, y: 0 };
    let drawn = 0;
    for (const { element, item } of view.tree.refresh().entries) {
      if (item.visible === false || item.ref === undefined || element.ownerDocument !== page) continue;
      const box = element.getBoundingClientRect();
      const isOutside = box.bottom <= 0 || box.right <= 0 || box.top >= innerHeight || box.left >= innerWidth;
      if (isOutside && !wholePage) continue;
      const frame = page.createElement("div");
      frame.style.cssText = `position:absolute;box-sizing:border-box;border:1px solid #d4008f;left:${box.left + origin.x}px;top:${box.top + origin.y}px;width:${box.width}px;height:${box.height}px`;
      const label = page.createElement("span");
      label.textContent = item.ref;
      label.style.cssText =
        "position:absolute;left:-1px;top:-1px;background:#d4008f;color:#fff;font:bold 11px/13px monospace;padding:0 2px";
      frame.append(label);
      layer.append(frame);
      drawn++;
    }
    page.documentElement.append(layer);
    this.layer = layer;
    return drawn;
  }

  hide(): void {
    this.layer?.remove();
    this.layer = undefined;
  }
}
