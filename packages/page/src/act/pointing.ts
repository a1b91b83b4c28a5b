import { BridgeError, type Target } from "@debug-bridge/protocol";
import { parentAcross } from "../view/elements/dom.js";
import { elementAt, toTabPoint } from "../view/elements/frame-points.js";
import { type Point, pressPoint } from "../view/elements/visibility.js";
import type { PageView } from "../view/view.js";
import { makeActionable, makePointable } from "./actionable.js";
import { bringIntoView } from "./into-view.js";
import { resolveTarget } from "./resolve.js";

/** What a point command answers: where it pointed in the viewport of the tab, and what was there. */
interface PointedValue {
  readonly at: Point;
  readonly element: string;
}

/** An element, and the point in the viewport of its own document at which to use it. */
export interface Pointed {
  readonly element: Element;
  readonly point: Point;
  /** For a target that gave a point. */
  readonly value: PointedValue | undefined;
}

/**
 * What a target points at. An element is used where a person would press it, and must be usable. A point is used as it
 * is, whatever is there: a point of the viewport, or one relative to the top left corner of the element.
 */
export function pointAt(view: PageView, target: Target, mayBeDisabled = false): Pointed {
  if (!target.point) {
    const named = resolveTarget(view, target);
    const element = mayBeDisabled ? makePointable(view, named) : makeActionable(view, named);
    return { element, point: pressPoint(element), value: undefined };
  }
  const found = isPointOnly(target)
    ? inViewport(view, view.page, target.point)
    : insideElement(view, resolveTarget(view, target), target.point);
  const at = toTabPoint(found.element, found.point);
  return { ...found, value: { at, element: describeAt(view, found.element) } };
}

/** Whether a target names no element and only gives a point. */
function isPointOnly({ selector, id, text, ref, role, point }: Target): boolean {
  return point !== undefined && (selector ?? id ?? text ?? ref ?? role) === undefined;
}

function insideElement(view: PageView, element: Element, offset: Point): Omit<Pointed, "value"> {
  const page = element.ownerDocument;
  const place = (): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: left + offset.x, y: top + offset.y };
  };
  if (!isInside(page, place())) bringIntoView(view, element);
  return inViewport(view, page, place());
}

function inViewport(view: PageView, page: Document, point: Point): Omit<Pointed, "value"> {
  const found = isInside(page, point) ? elementAt(page, point, view.isOurs) : undefined;
  if (found) return found;
  const { innerWidth, innerHeight } = page.defaultView as Window;
  throw new BridgeError(
    "not_actionable",
    `the point (${point.x}, ${point.y}) is outside of the viewport, which is ${innerWidth} x ${innerHeight}. Nothing was done; scroll first, or choose a point inside`,
    { viewport: { width: innerWidth, height: innerHeight } },
  );
}

function isInside(page: Document, { x, y }: Point): boolean {
  const { innerWidth, innerHeight } = page.defaultView as Window;
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

/** The element of the tree that is or holds this one, as in `button "Save"`. */
function describeAt(view: PageView, hit: Element): string {
  const tree = view.tree.refresh();
  let listed: Element = hit;
  for (let at: Element | null = hit; at; at = parentAcross(at)) {
    if (!tree.entryOf(at)) continue;
    listed = at;
    break;
  }
  const { role, text } = view.itemOf(listed);
  return `${role || listed.localName} "${(text ?? "").slice(0, 80)}"`;
}
