import { documentIn, parentAcross, type Root } from "./dom.js";
import type { Reacts } from "./reacting.js";
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
const AREAS =
  "[contenteditable]:not([contenteditable='false']),[tabindex],[draggable=true],canvas[aria-label]";
/** What has nothing but a title is known by it. */
const TITLED = "[title]:not(iframe,frame,img,link,style)";
const INTERACTIVE = `${CONTROLS},${AREAS}`;

export const HEADINGS = "h1,h2,h3,h4,h5,h6,[role='heading']";
const FRAMES = "iframe,frame";
const OTHERS = `${AREAS},${TITLED},${HEADINGS}`;

export interface Found {
  readonly element: Element;
  /** The heading before it, if any. */
  readonly heading: Element | undefined;
}

/** Why elements are listed or not, for when a part of the page changes. */
export interface Dependence {
  /** These decide about what is inside them as well. */
  readonly contexts: WeakSet<Element>;
  /** What is inside decides about these, and they about nothing. */
  readonly dependent: WeakSet<Element>;
}

/** All roots of a page: the document, open shadow roots, same-origin frames, in document order. */
export interface Sweep extends Dependence {
  readonly found: Found[];
  readonly roots: Root[];
  /** Every frame, with the document that was in it: no mutation reports when it gets another. */
  readonly frames: ReadonlyMap<Element, Document | null>;
  /** How many elements there are. */
  readonly size: number;
}

export function isHeading(element: Element): boolean {
  return /^h[1-6]$/.test(element.localName) || element.getAttribute("role") === "heading";
}

/** Collects the interactive elements below a root, in document order. `skip` leaves out what is ours. */
export function sweep(page: Root, skip: (element: Element) => boolean, reacts: Reacts): Sweep {
  const found: Found[] = [];
  const roots: Root[] = [];
  const frames = new Map<Element, Document | null>();
  const dependence: Dependence = { contexts: new WeakSet(), dependent: new WeakSet() };
  let heading: Element | undefined;
  let size = 0;

  const add = (element: Element): void => {
    if (isHeading(element)) {
      heading = element;
      if (!element.matches(INTERACTIVE)) return;
    }
    found.push({ element, heading });
  };

  const enter = (root: Root): void => {
    roots.push(root);
    // The browser's own search is many times faster than asking every element. All lists are in document order.
    const controls = root.querySelectorAll(CONTROLS);
    const others = root.querySelectorAll(OTHERS);
    const framed = root.querySelectorAll(FRAMES);
    const isUsed = using((root.ownerDocument ?? (root as Document)).defaultView, reacts, dependence);
    let nextControl = 0;
    let nextOther = 0;
    let nextFrame = 0;
    let control = controls[0];
    let other = others[0];
    let frame = framed[0];
    for (const element of root.querySelectorAll("*")) {
      size++;
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
      if (isUsed(element, isControl, isOther)) {
        if (skip(element)) continue;
        add(element);
      }
      if (below && !skip(element)) enter(below);
    }
  };

  enter(page);
  return { found, roots, frames, size, ...dependence };
}

/** Decides about some elements of one root as `sweep` does about all. To be asked in document order, parents first. */
export function usingSome(
  view: Window | null,
  reacts: Reacts,
  dependence: Dependence = { contexts: new WeakSet(), dependent: new WeakSet() },
): (element: Element) => boolean {
  const isUsed = using(view, reacts, dependence);
  return (element) => {
    const isUsable = isUsed(element, element.matches(CONTROLS), element.matches(OTHERS));
    return isUsable && (!isHeading(element) || element.matches(INTERACTIVE));
  };
}

/**
 * Decides whether an element is listed. To be asked of every element of a root, in document order. Besides controls,
 * what reacts is: it has a handler, or the pointer that shows a hand says that something around it has one.
 */
function using(
  view: Window | null,
  reacts: Reacts,
  { contexts, dependent }: Dependence,
): (element: Element, control: boolean, other: boolean) => boolean {
  /** The outermost usable element that the walk is in. What is inside is a part of it, unless it reacts itself. */
  let inside: Element | undefined;
  /** Items of lists that listen for them. */
  const delegated = new Set<Element>();
  return (element, isControl, isOther) => {
    if (inside && !inside.contains(element)) inside = undefined;
    const whole = inside;
    if (isControl) {
      contexts.add(element);
      // The cell around a button, or around a field, is used through it.
      if (element.getAttribute("role") === "gridcell" && element.querySelector(CONTROLS))
        return reacts(element);
      inside ??= element;
      return (
        element.localName !== "label" || (element as HTMLLabelElement).control !== null || reacts(element)
      );
    }
    if (/^(?:html|body)$/.test(element.localName)) return false;
    const isReacting = reacts(element) || delegated.has(element);
    const isPointed = !whole && isPointedAt(element, view);
    if (isPointed) {
      contexts.add(element);
      // A hand over parts that react themselves says nothing of what is around them.
      const isShared = !isReacting && Array.from(element.querySelectorAll("*")).some(reacts);
      if (!isShared) inside = element;
      dependent.add(element);
      if (!isShared && showsItFirst(element) && !isWrapper(element)) return true;
    }
    if (isReacting) dependent.add(element);
    if (isReacting && !isDuplicate(element, whole) && !element.querySelector(CONTROLS)) {
      if (delegated.has(element) || !isList(element)) return true;
      contexts.add(element);
      for (const item of element.children) delegated.add(item);
    }
    if (!isOther || element.matches(HEADINGS)) return isOther;
    if (/^(?:none|presentation)$/.test(element.getAttribute("role") ?? "")) return false;
    if (element.matches(AREAS)) return true;
    dependent.add(element);
    return !whole && element.textContent?.trim() === "";
  };
}

function isPointedAt(element: Element, view: Window | null): boolean {
  return view?.getComputedStyle(element).cursor === "pointer" && parentAcross(element) !== null;
}

/** Whether the hand is not only inherited. */
function showsItFirst(element: Element): boolean {
  const parent = parentAcross(element) as Element;
  return parent.ownerDocument.defaultView?.getComputedStyle(parent).cursor !== "pointer";
}

/** Nothing but several elements of one kind. */
function isList({ firstElementChild, children, childNodes }: Element): boolean {
  return (
    children.length > 1 &&
    Array.from(children).every(({ localName }) => localName === firstElementChild?.localName) &&
    !Array.from(childNodes).some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim())
  );
}

/** The only part of something usable, which says nothing else. */
function isDuplicate(element: Element, whole: Element | undefined): boolean {
  return whole?.childElementCount === 1 && whole.textContent?.trim() === element.textContent?.trim();
}

/** A single usable element with nothing but a box around it. */
function isWrapper(element: Element): boolean {
  const only = element.firstElementChild;
  if (!only || element.childElementCount > 1) return false;
  if (element.textContent?.trim() !== only.textContent?.trim()) return false;
  return only.matches(INTERACTIVE) || isWrapper(only);
}
