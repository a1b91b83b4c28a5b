import type { UiTreeItem } from "@debug-bridge/protocol";
import { closestAcross, containsAcross, frameOf, parentAcross } from "./dom.js";

type HiddenBy = NonNullable<UiTreeItem["hiddenBy"]>;

export interface Visibility {
  /** Rendered. An element that is only scrolled out of view is visible, with `hiddenBy: "off-screen"`. */
  readonly visible: boolean;
  readonly hiddenBy?: HiddenBy;
  /** What covers it. */
  readonly coveredBy?: Element;
  /** It is visible, but a press goes through it to what is behind. */
  readonly letsPressThrough?: boolean;
}

const SEEN: Visibility = { visible: true };
const AWAY: Visibility = { visible: true, hiddenBy: "off-screen" };
const hidden = (hiddenBy: HiddenBy): Visibility => ({ visible: false, hiddenBy });
const HIDDEN = hidden("hidden");
const ZERO = hidden("zero-size");
const INERT = hidden("inert");
const UNREACHABLE = hidden("off-screen");

const CHECK = { visibilityProperty: true, contentVisibilityAuto: false } as CheckVisibilityOptions;

interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly scrollX: number;
  readonly scrollY: number;
  readonly anyInert: boolean;
  readonly modal: Element | undefined;
}

/** Whether something is ours: drawn over the page, and no part of it. */
export type IsOurs = (node: Node) => boolean;

/** What the checks of many elements share: size, scrolling and what is inert are read once per document. */
export class VisibilityChecker {
  private readonly viewports = new Map<Document, Viewport>();

  constructor(private readonly isOurs?: IsOurs) {}

  /** Whether a person could see and use the element now, and if not, what stops them. */
  of(element: Element): Visibility {
    const html = element as HTMLElement;
    if (!html.checkVisibility(CHECK)) {
      // An element with `display: contents` has no box, and its content is there all the same.
      const inner = isContents(element) ? boxOfContent(element) : undefined;
      return inner ? this.within(element, inner) : HIDDEN;
    }
    const box = html.getBoundingClientRect();
    if (box.width <= 0 || box.height <= 0) {
      const inner = element.childElementCount > 0 || element.shadowRoot ? boxOfContent(element) : undefined;
      if (!inner) return ZERO;
      return this.within(element, inner);
    }
    return this.within(element, box);
  }

  private within(element: Element, box: DOMRect): Visibility {
    const viewport = this.viewportOf(element.ownerDocument);
    if (!viewport) return HIDDEN;
    if (isInert(element, viewport)) return INERT;
    const { width, height } = viewport;
    if (box.bottom <= 0 || box.right <= 0 || box.top >= height || box.left >= width) {
      const beforeStart = box.bottom + viewport.scrollY <= 0 || box.right + viewport.scrollX <= 0;
      return beforeStart ? UNREACHABLE : AWAY;
    }
    let point = middleOf(clip(box, 0, 0, width, height));
    let hit = hitTest(element, point, this.isOurs);
    if (hit && !reaches(element, hit)) {
      const part = visiblePart(element, box);
      if (!part) return AWAY;
      point = middleOf(part);
      hit = hitTest(element, point, this.isOurs);
    }
    if (!hit || reaches(element, hit)) return this.throughFrames(element.ownerDocument, point);
    if (containsAcross(hit, element) && ignoresPointer(element))
      return { ...this.throughFrames(element.ownerDocument, point), letsPressThrough: true };
    return { visible: false, hiddenBy: "occluded", coveredBy: hit };
  }

  /** What is seen in a frame is seen on the page only where the frame itself is, up to the top. */
  private throughFrames(document: Document, point: Point): Visibility {
    const frame = frameOf(document) as HTMLIFrameElement | null;
    if (!frame) return SEEN;
    const viewport = this.viewportOf(frame.ownerDocument);
    if (!viewport || !frame.checkVisibility(CHECK)) return HIDDEN;
    if (isInert(frame, viewport)) return INERT;
    const box = frame.getBoundingClientRect();
    const scale = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
    const { paddingLeft, paddingTop } = (frame.ownerDocument.defaultView as Window).getComputedStyle(frame);
    const outer = {
      x: box.left + (frame.clientLeft + Number.parseFloat(paddingLeft) + point.x) * scale,
      y: box.top + (frame.clientTop + Number.parseFloat(paddingTop) + point.y) * scale,
    };
    if (outer.x < 0 || outer.y < 0 || outer.x >= viewport.width || outer.y >= viewport.height) return AWAY;
    const hit = hitTest(frame, outer, this.isOurs);
    if (hit && hit !== frame) {
      if (!visiblePart(frame, box)) return AWAY;
      return { visible: false, hiddenBy: "occluded", coveredBy: hit };
    }
    return this.throughFrames(frame.ownerDocument, outer);
  }

  private viewportOf(document: Document): Viewport | undefined {
    let viewport = this.viewports.get(document);
    const view = document.defaultView;
    if (!viewport && view) {
      viewport = {
        width: view.innerWidth,
        height: view.innerHeight,
        scrollX: view.scrollX,
        scrollY: view.scrollY,
        anyInert: document.querySelector("[inert]") !== null,
        modal: topModal(document),
      };
      this.viewports.set(document, viewport);
    }
    return viewport;
  }
}

function isInert(element: Element, { modal, anyInert }: Viewport): boolean {
  if (modal && !containsAcross(modal, element)) return true;
  const inShadow = element.getRootNode() !== element.ownerDocument;
  return (anyInert || inShadow) && closestAcross(element, "[inert]") !== null;
}

function ignoresPointer(element: Element): boolean {
  return element.ownerDocument.defaultView?.getComputedStyle(element).pointerEvents === "none";
}

/** `display: contents` and inline wrappers have no box of their own; what they hold has. */
function boxOfContent(element: Element): DOMRect | undefined {
  for (const child of (element.shadowRoot ?? element).children) {
    const box = child.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) return box;
  }
  return undefined;
}

function isContents(element: Element): boolean {
  return element.ownerDocument.defaultView?.getComputedStyle(element).display === "contents";
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

function clip(box: Box, left: number, top: number, right: number, bottom: number): Box {
  return {
    left: Math.max(box.left, left),
    top: Math.max(box.top, top),
    right: Math.min(box.right, right),
    bottom: Math.min(box.bottom, bottom),
  };
}

function middleOf({ left, top, right, bottom }: Box): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** The part of an element's box that neither the viewport nor an ancestor that scrolls or clips cuts off. */
function visiblePart(element: Element, box: Box): Box | undefined {
  const page = element.ownerDocument.documentElement;
  const { innerWidth, innerHeight, getComputedStyle } = element.ownerDocument.defaultView as Window;
  let part = clip(box, 0, 0, innerWidth, innerHeight);
  let { position } = getComputedStyle(element);
  for (let at = parentAcross(element); at && at !== page && position !== "fixed"; at = parentAcross(at)) {
    const style = getComputedStyle(at);
    // What is positioned is clipped only from its containing block on; the body's clipping is the viewport's.
    if (position === "absolute" && style.position === "static") continue;
    position = style.position;
    if (style.overflow === "visible" || at.localName === "body") continue;
    const { left, top, right, bottom } = at.getBoundingClientRect();
    part = clip(part, left, top, right, bottom);
  }
  return part.left < part.right && part.top < part.bottom ? part : undefined;
}

/** Where a person would press: the first line of a link that wraps, else the middle of what can be seen. */
export function pressPoint(element: Element): Point {
  const boxes = element.getClientRects();
  const own = boxes.length > 1 && boxes[0] ? boxes[0] : element.getBoundingClientRect();
  const isEmpty = own.width <= 0 || own.height <= 0;
  const box = (isEmpty && boxOfContent(element)) || own;
  return middleOf(visiblePart(element, box) ?? box);
}

/** The innermost element at a point, through open shadow roots and through what is ours. */
export function hitTest(near: Element, { x, y }: Point, isOurs?: IsOurs): Element | null {
  const document = near.ownerDocument;
  let hit = document.elementFromPoint(x, y);
  if (hit && isOurs?.(hit)) hit = document.elementsFromPoint(x, y).find((each) => !isOurs(each)) ?? null;
  while (hit?.shadowRoot) {
    const inner: Element | null = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/**
 * The modal dialog that keeps the rest of the document from being used. Of several it is the one that was opened last,
 * wherever it is; nothing else can be hit, so any point shows which one that is. When text in a slot is hit, which
 * belongs to the host, the backdrop in the corner shows it.
 */
export function topModal(document: Document): Element | undefined {
  const { innerWidth: x = 0, innerHeight: y = 0 } = document.defaultView ?? {};
  for (const point of [
    { x: x / 2, y: y / 2 },
    { x: 1, y: 1 },
  ]) {
    let isInRoot = false;
    for (let at = hitTest(document.documentElement, point); at; at = parentAcross(at)) {
      if (at.matches("dialog:modal")) return at;
      isInRoot ||= at.shadowRoot !== null;
    }
    // On a large page a hit test takes its time.
    if (!isInRoot) return undefined;
  }
  return undefined;
}

/** Whether a press on `hit` is a press on `element`: inside it, or through a label. */
function reaches(element: Element, hit: Element): boolean {
  if (containsAcross(element, hit)) return true;
  // Text in a slot belongs to the host, although it is drawn inside the shadow root.
  if (hit.shadowRoot && element.getRootNode() === hit.shadowRoot && element.querySelector("slot"))
    return true;
  const label = closestAcross(hit, "label") as HTMLLabelElement | null;
  if (label?.control === element) return true;
  if (element.localName === "label" && (element as HTMLLabelElement).control === hit) return true;
  return element.localName === "option" && hit.contains(element);
}
