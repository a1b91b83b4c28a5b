/** Walking a page across open shadow roots and same-origin frames. No `instanceof`: frames have their own classes. */
export type Root = Document | ShadowRoot;

export function isElement(node: unknown): node is Element {
  return (node as Node | null)?.nodeType === 1;
}

/** The parent as a person sees it: out of a shadow root to its host, out of a frame to its `<iframe>`. */
export function parentAcross(node: Node): Element | null {
  const slot = (node as Element).assignedSlot;
  if (slot) return slot;
  const parent = node.parentNode;
  if (!parent) return null;
  if (parent.nodeType === 1) return parent as Element;
  if (parent.nodeType === 11) return (parent as ShadowRoot).host ?? null;
  return frameOf(parent as Document);
}

const frames = new WeakMap<Document, Element | null>();

/** The `<iframe>` that shows this document, when it may be reached. A document never changes its frame. */
export function frameOf(document: Document): Element | null {
  let frame = frames.get(document);
  if (frame === undefined) {
    try {
      frame = document.defaultView?.frameElement ?? null;
    } catch {
      frame = null;
    }
    frames.set(document, frame);
  }
  return frame;
}

/** The document in a frame, when it is of the same origin and loaded. */
export function documentIn(frame: Element): Document | null {
  try {
    return (frame as HTMLIFrameElement).contentDocument;
  } catch {
    return null;
  }
}

export function isFrame(element: Element): boolean {
  return element.localName === "iframe" || element.localName === "frame";
}

/** Whether `inner` is `outer` or is inside it, across roots. */
export function containsAcross(outer: Node, inner: Node | null): boolean {
  for (let node: Node | null = inner; node; node = parentAcross(node)) {
    if (node === outer || (outer.nodeType !== 1 && node.getRootNode() === outer)) return true;
  }
  return false;
}

export function closestAcross(element: Element, selector: string): Element | null {
  for (let at: Element | null = element; at; ) {
    const found: Element | null = at.closest(selector);
    if (found) return found;
    const root: Node = at.getRootNode();
    at = root.nodeType === 11 ? (root as ShadowRoot).host : frameOf(root as Document);
  }
  return null;
}

/** The element that has the focus, inside roots too. */
export function deepActiveElement(document: Document): Element | null {
  let active: Element | null = document.activeElement;
  while (active) {
    const inside: Element | null | undefined =
      active.shadowRoot?.activeElement ?? (isFrame(active) ? documentIn(active)?.activeElement : null);
    if (!inside) return active;
    active = inside;
  }
  return null;
}

/** Whether the element is in the page, even when it is in a root inside a root. */
export function isAttached(element: Element, page: Document): boolean {
  if (!element.isConnected) return false;
  for (let document = element.ownerDocument; document !== page; ) {
    const frame = frameOf(document);
    if (!frame?.isConnected) return false;
    document = frame.ownerDocument;
  }
  return true;
}

export const squash = (text: string): string => text.replace(/[\s\u200b]+/g, " ").trim();
