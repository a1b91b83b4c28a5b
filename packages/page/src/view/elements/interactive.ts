import { documentIn, parentAcross, type Root } from "./dom.js";
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
const AREAS = "[contenteditable]:not([contenteditable='false']),[tabindex]";
const INTERACTIVE = `${CONTROLS},${AREAS}`;

const HEADINGS = "h1,h2,h3,h4,h5,h6,[role='heading']";
const FRAMES = "iframe,frame";
const AREAS_AND_HEADINGS = `${AREAS},${HEADINGS}`;

export interface Found {
  readonly element: Element;
  /** The heading before it, if any. */
  readonly heading: Element | undefined;
}

/** All roots of a page: the document, open shadow roots, same-origin frames, in document order. */
export interface Sweep {
  readonly found: Found[];
  readonly roots: Root[];
  /** Every frame, with the document that was in it: no mutation reports when it gets another. */
  readonly frames: ReadonlyMap<Element, Document | null>;
}

/** Collects the interactive elements below a root, in document order. `skip` leaves out what is ours. */
export function sweep(page: Root, skip: (element: Element) => boolean): Sweep {
  const found: Found[] = [];
  const roots: Root[] = [];
  const frames = new Map<Element, Document | null>();
  let heading: Element | undefined;

  const add = (element: Element): void => {
    if (/^h[1-6]$/.test(element.localName) || element.getAttribute("role") === "heading") {
      heading = element;
      if (!element.matches(INTERACTIVE)) return;
    }
    found.push({ element, heading });
  };

  const enter = (root: Root): void => {
    roots.push(root);
    // The browser's own search is many times faster than asking every element. All lists are in document order.
    const controls = root.querySelectorAll(CONTROLS);
    const others = root.querySelectorAll(AREAS_AND_HEADINGS);
    const framed = root.querySelectorAll(FRAMES);
    const isPointed = pointing((root.ownerDocument ?? (root as Document)).defaultView);
    let nextControl = 0;
    let nextOther = 0;
    let nextFrame = 0;
    let control = controls[0];
    let other = others[0];
    let frame = framed[0];
    for (const element of root.querySelectorAll("*")) {
      const isControl = element === control;
      if (isControl) control = controls[++nextControl];
      const isOther = element === other;
      if (isOther) other = others[++nextOther];
      let below: Root | null = element.shadowRoot;
      if (element === frame) {
        frame = framed[++nextFrame];
        const inside = documentIn(element);
        frames.set(element, inside);
        below = inside;
      }
      if (isPointed(element, isControl) || isControl || isOther) {
        if (skip(element)) continue;
        add(element);
      }
      if (below && !skip(element)) enter(below);
    }
  };

  enter(page);
  return { found, roots, frames };
}

/**
 * Knows what an app made clickable without saying so: listeners cannot be seen, but the pointer that shows a hand can.
 * The outermost element that shows it counts, unless it is a part of something that is known to be usable, or holds
 * nothing else than that. To be asked of every element, in document order.
 */
function pointing(view: Window | null): (element: Element, isControl: boolean) => boolean {
  let inside: Element | undefined;
  return (element, isControl) => {
    if (inside) {
      if (inside.contains(element)) return false;
      inside = undefined;
    }
    if (isControl) {
      inside = element;
      return false;
    }
    if (view?.getComputedStyle(element).cursor !== "pointer" || element.localName === "body") return false;
    const parent = parentAcross(element);
    if (!parent) return false;
    inside = element;
    const around = parent.ownerDocument.defaultView?.getComputedStyle(parent).cursor;
    return around !== "pointer" && !isWrapper(element);
  };
}

/** A single usable element with nothing but a box around it. */
function isWrapper(element: Element): boolean {
  const only = element.firstElementChild;
  if (!only || element.childElementCount > 1) return false;
  if (element.textContent?.trim() !== only.textContent?.trim()) return false;
  return only.matches(INTERACTIVE) || isWrapper(only);
}
