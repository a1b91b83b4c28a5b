import { documentIn, isFrame, parentAcross, type Root } from "./dom.js";
import { WIDGET_ROLES } from "./roles.js";

/** Every element that a person could use, whatever it looks like; what is inside is a part of it. */
const CONTROLS = [
  "button",
  "a[href]",
  "area[href]",
  'input:not([type="hidden"])',
  "select",
  "textarea",
  "summary",
  "label",
  "[onclick]",
  ...WIDGET_ROLES.map((role) => `[role="${role}"]`),
].join(",");
/** These may hold half of the page. */
const INTERACTIVE = `${CONTROLS},[contenteditable]:not([contenteditable='false']),[tabindex]`;

const HEADINGS = "h1,h2,h3,h4,h5,h6,[role='heading']";
const WANTED = `${INTERACTIVE},${HEADINGS}`;

export interface Found {
  readonly element: Element;
  /** The heading that stands before it, if any. */
  readonly heading: Element | undefined;
}

/** All roots of a page: the document, open shadow roots, same-origin frames, in document order. */
export interface Sweep {
  readonly found: Found[];
  readonly roots: Root[];
}

/** Collects the interactive elements below a root, in document order. `skip` leaves out what is ours. */
export function sweep(page: Root, skip: (element: Element) => boolean): Sweep {
  const found: Found[] = [];
  const roots: Root[] = [];
  let heading: Element | undefined;

  const take = (element: Element): void => {
    if (/^h[1-6]$/.test(element.localName) || element.getAttribute("role") === "heading") {
      heading = element;
      if (!element.matches(INTERACTIVE)) return;
    }
    found.push({ element, heading });
  };

  const enter = (root: Root): void => {
    roots.push(root);
    // The browser's own search is many times faster than asking every element.
    const listed = root.querySelectorAll(WANTED);
    const wanted = new Set<Element>(listed);
    const all = root.querySelectorAll("*");
    const inner = new Map<Element, Root>();
    for (const element of all) {
      const below = element.shadowRoot ?? (isFrame(element) ? documentIn(element) : null);
      if (below && !skip(element)) inner.set(element, below);
    }
    const before = wanted.size;
    addPointed(all, wanted, skip);
    const inOrder = inner.size === 0 && wanted.size === before ? listed : all;
    for (const element of inOrder) {
      if (wanted.has(element) && !skip(element)) take(element);
      const below = inner.get(element);
      if (below) enter(below);
    }
  };

  enter(page);
  return { found, roots };
}

/**
 * Adds what an app made clickable without saying so: listeners cannot be seen, but the pointer that shows a hand can.
 * The outermost element that shows it counts, unless it is a part of something that is known to be usable, or holds
 * nothing else than that.
 */
function addPointed(all: Iterable<Element>, wanted: Set<Element>, skip: (element: Element) => boolean): void {
  let inside: Element | undefined;
  for (const element of all) {
    if (inside) {
      if (inside.contains(element)) continue;
      inside = undefined;
    }
    if (wanted.has(element) && element.matches(CONTROLS)) {
      inside = element;
      continue;
    }
    if (cursorOf(element) !== "pointer") continue;
    const parent = parentAcross(element);
    if (!parent || element.localName === "body" || skip(element)) continue;
    inside = element;
    if (cursorOf(parent) !== "pointer" && !isWrapper(element, wanted)) wanted.add(element);
  }
}

function cursorOf(element: Element): string | undefined {
  return element.ownerDocument.defaultView?.getComputedStyle(element).cursor;
}

/** A single usable element with nothing but a box around it. */
function isWrapper(element: Element, wanted: ReadonlySet<Element>): boolean {
  const only = element.firstElementChild;
  if (!only || element.childElementCount > 1) return false;
  if (element.textContent?.trim() !== only.textContent?.trim()) return false;
  return wanted.has(only) || isWrapper(only, wanted);
}
