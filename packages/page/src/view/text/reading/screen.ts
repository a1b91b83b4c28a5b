import { parentAcross } from "../../elements/dom.js";
import { hitTest } from "../../elements/visibility.js";
import { isInlineBox, styleOf } from "../outline/drawn.js";

/** With fewer children each one is asked where it is. */
const MANY = 64;
/** Siblings below the screen in a row, after which the rest is taken to be below it as well. */
const ENOUGH_BELOW = 8;

const moments = new WeakMap<Document, Screen>();

/** The screen at this moment: until the page runs again, it stays the same. */
export function screenOf(page: Document): Screen {
  let screen = moments.get(page);
  if (!screen) {
    screen = new Screen(page);
    moments.set(page, screen);
    // On a large page the search for what is in the middle takes longer than everything else here.
    void Promise.resolve().then(() => moments.delete(page));
  }
  return screen;
}

/** What is on the screen: the part of a large page that is read. */
export class Screen {
  private readonly wanted = new Set<Node>();
  private last: { readonly element: Element; readonly box: DOMRect } | undefined;

  constructor(page: Document) {
    const { innerWidth, innerHeight } = page.defaultView as Window;
    // A dialog that is fixed there may be inside something that is elsewhere.
    let at = hitTest(page.documentElement, { x: innerWidth / 2, y: innerHeight / 2 });
    for (; at; at = parentAcross(at)) this.wanted.add(at);
  }

  /** Where an element is. Asked several times of the same one in a row. */
  boxOf(element: Element): DOMRect {
    if (this.last?.element !== element) this.last = { element, box: element.getBoundingClientRect() };
    return this.last.box;
  }

  /** Whether there is nothing to read in an element, because all of it is elsewhere. */
  skips(element: Element): boolean {
    if (this.wanted.has(element)) return false;
    const box = this.boxOf(element);
    // What has no size may hold something that is drawn elsewhere.
    if (box.width === 0 || box.height === 0) return false;
    return isOff(element, box);
  }

  /** Those of many siblings that may be on the screen. Content in a column is searched, not asked one by one. */
  *among(nodes: Iterable<Node>, parent: Element): Iterable<Node> {
    const { children } = parent.shadowRoot ?? parent;
    const first = children[0];
    if (children.length < MANY || !first || isInlineBox(styleOf(first).display)) {
      yield* nodes;
      return;
    }
    let low = 0;
    for (let high = children.length; low < high; ) {
      const middle = (low + high) >> 1;
      const { bottom, height } = (children[middle] as Element).getBoundingClientRect();
      if (height > 0 && bottom <= 0) low = middle + 1;
      else high = middle;
    }
    const found = new Set<Node>();
    let below = 0;
    for (; low < children.length && below < ENOUGH_BELOW; low++) {
      const child = children[low] as Element;
      const box = this.boxOf(child);
      below = box.height > 0 && isOff(child, box) ? below + 1 : 0;
      found.add(child);
    }
    for (const node of this.wanted) if (node.parentNode === parent && !found.has(node)) yield node;
    yield* found;
  }
}

/** All elements that may be on the screen, without those inside shadow roots and frames. */
export function elementsOnScreen(page: Document): Element[] {
  const screen = screenOf(page);
  const found: Element[] = [];
  const visit = (parent: Element): void => {
    for (const node of screen.among(parent.children, parent)) {
      const element = node as Element;
      if (screen.skips(element) || styleOf(element).display === "none") continue;
      found.push(element);
      visit(element);
    }
  };
  if (page.body) visit(page.body);
  return found;
}

/** Whether a box is outside of what its document shows. */
export function isOff(element: Element, box: DOMRect): boolean {
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView as Window;
  return box.bottom <= 0 || box.right <= 0 || box.top >= innerHeight || box.left >= innerWidth;
}
