import { documentIn, isFrame, type Root } from "./dom.js";
import { WIDGET_ROLES } from "./roles.js";

/** Every element that a person could use. */
const INTERACTIVE = [
  "button",
  "a[href]",
  "area[href]",
  'input:not([type="hidden"])',
  "select",
  "textarea",
  "summary",
  "label",
  "[contenteditable]:not([contenteditable='false'])",
  "[tabindex]",
  "[onclick]",
  ...WIDGET_ROLES.map((role) => `[role="${role}"]`),
].join(",");

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
    const inner = new Map<Element, Root>();
    for (const element of root.querySelectorAll("*")) {
      const below = element.shadowRoot ?? (isFrame(element) ? documentIn(element) : null);
      if (below && !skip(element)) inner.set(element, below);
    }
    // Without inner roots the browser's own search is enough, and many times faster than asking every element.
    const elements = root.querySelectorAll(inner.size === 0 ? WANTED : "*");
    for (const element of elements) {
      if (inner.size === 0 || element.matches(WANTED)) {
        if (!skip(element)) take(element);
      }
      const below = inner.get(element);
      if (below) enter(below);
    }
  };

  enter(page);
  return { found, roots };
}
