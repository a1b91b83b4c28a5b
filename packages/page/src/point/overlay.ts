/** Above everything in the page, and not in the way of the pointer. */
const LAYER = "all:initial;position:fixed;inset:0;pointer-events:none;z-index:2147483647";
const FRAME =
  "position:absolute;box-sizing:border-box;border:2px solid #1a5fd0;background:#1a5fd026;border-radius:2px";
const LABEL =
  "position:absolute;max-width:320px;overflow:hidden;white-space:nowrap;background:#1a5fd0;color:#fff;font:12px/18px system-ui,sans-serif;padding:0 6px;border-radius:2px";

/** What is drawn over the page for the person who looks at it. Views, records and replays leave it out. */
export class Overlay {
  private layer: HTMLElement | undefined;

  constructor(
    private readonly page: Document,
    private readonly own: (node: Node) => void,
  ) {}

  /** A frame around an element, with a name. */
  show(element: Element, name: string): void {
    const { left, top, width, height } = element.getBoundingClientRect();
    const box = `${FRAME};left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    const frame = this.part(box);
    // Above the frame where there is room, else in it.
    frame.append(this.part(`${LABEL};left:-2px;top:${top < 20 ? 0 : -20}px`, name));
    this.put(frame);
  }

  /** A line at the top of the page. */
  setText(text: string): void {
    this.put(this.part(`${LABEL};left:50%;top:8px;transform:translateX(-50%)`, text));
  }

  hide(): void {
    this.layer?.remove();
    this.layer = undefined;
  }

  private part(style: string, text = ""): HTMLElement {
    const part = this.page.createElement("div");
    part.style.cssText = style;
    part.textContent = text;
    return part;
  }

  private put(content: HTMLElement): void {
    this.hide();
    const layer = this.page.createElement("debug-bridge-overlay");
    this.own(layer);
    layer.style.cssText = LAYER;
    // In a separate root, so that styles of the page do not change it.
    layer.attachShadow({ mode: "closed" }).append(content);
    this.page.documentElement.append(layer);
    this.layer = layer;
  }
}
