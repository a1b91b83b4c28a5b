import { pseudoStyle, styleOf } from "../text/outline/drawn.js";
import { isUnder } from "./element-state.js";

const OUT_OF_FLOW = /^(?:absolute|fixed|sticky)$/;

/**
 * What on the screen may be drawn over other elements, or cut them off. On a page of many elements a question for what is
 * drawn at a point takes milliseconds; what stays in the flow of the page covers nothing.
 */
export class Overlaps {
  private readonly over = new Set<Element>();
  private readonly clipping: Element[] = [];
  private isUncertain = false;

  /** From all elements on the screen, in document order. */
  constructor(private readonly elements: ReadonlySet<Element>) {
    let last: Element | undefined;
    for (const element of elements) {
      const style = styleOf(element);
      if (last?.contains(element)) this.over.add(element);
      else if (mayOverlap(element, style)) {
        this.over.add(element);
        last = element;
      }
      if (style.overflow !== "visible") this.clipping.push(element);
      // How large they are cannot be asked.
      if (isDrawnOver(element, "::before") || isDrawnOver(element, "::after")) this.isUncertain = true;
      if (this.isUncertain) return;
    }
  }

  /** Whether an element that was seen may be covered or cut off where it is now. */
  mayHide(element: Element): boolean {
    if (this.isUncertain || !this.elements.has(element)) return true;
    if (this.clipping.some((each) => each.contains(element))) return true;
    const { pointerEvents, display } = styleOf(element);
    if (pointerEvents === "none" || display === "inline") return true;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const { innerWidth, innerHeight } = element.ownerDocument.defaultView as Window;
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return !isInside || isUnder(element, this.over);
  }
}

function mayOverlap(element: Element, style: CSSStyleDeclaration): boolean {
  const { position, transform, margin, float } = style;
  if (OUT_OF_FLOW.test(position) || transform !== "none" || float !== "none") return true;
  if (/(?:^| )-/.test(margin)) return true;
  if (position === "relative" && !isUnmoved(style)) return true;
  const parent = element.parentElement;
  return parent !== null && styleOf(parent).display.endsWith("grid");
}

/** The browser gives the distances of what is not moved as zero. */
function isUnmoved({ top, left }: CSSStyleDeclaration): boolean {
  return /^(?:auto|0px)$/.test(top) && /^(?:auto|0px)$/.test(left);
}

function isDrawnOver(element: Element, pseudo: "::before" | "::after"): boolean {
  const { content, position } = pseudoStyle(element, pseudo);
  return content !== "none" && content !== "normal" && OUT_OF_FLOW.test(position);
}
