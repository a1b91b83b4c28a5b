import { documentIn, frameOf, isFrame } from "./dom.js";
import { hitTest, type IsOurs, type Point } from "./visibility.js";

/** A point of an element's own document, in the viewport of the tab. */
export function toTabPoint(element: Element, point: Point): Point {
  let { x, y } = point;
  for (let frame = frameOf(element.ownerDocument); frame; frame = frameOf(frame.ownerDocument)) {
    const origin = contentOrigin(frame);
    x += origin.x;
    y += origin.y;
  }
  return { x, y };
}

/** The innermost element at a point of a document, and the point in the viewport of that element's own document. */
export function elementAt(
  page: Document,
  point: Point,
  isOurs: IsOurs,
): { readonly element: Element; readonly point: Point } | undefined {
  const element = hitTest(page.documentElement, point, isOurs);
  if (!element) return undefined;
  const inner = isFrame(element) ? documentIn(element) : null;
  if (!inner?.documentElement) return { element, point };
  const origin = contentOrigin(element);
  const innerPoint = { x: point.x - origin.x, y: point.y - origin.y };
  return elementAt(inner, innerPoint, isOurs) ?? { element, point };
}

/** Where the viewport of a frame begins, in the viewport of the document around it. */
function contentOrigin(frame: Element): Point {
  const box = frame.getBoundingClientRect();
  const style = frame.ownerDocument.defaultView?.getComputedStyle(frame);
  return {
    x: box.left + frame.clientLeft + (Number.parseFloat(style?.paddingLeft ?? "0") || 0),
    y: box.top + frame.clientTop + (Number.parseFloat(style?.paddingTop ?? "0") || 0),
  };
}
