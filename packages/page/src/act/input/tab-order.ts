import { deepActiveElement, documentIn, isFrame } from "../../view/elements/dom.js";

const TABBABLE =
  "a[href],area[href],button:enabled,input:enabled:not([type=hidden]),select:enabled,textarea:enabled,summary,[tabindex],[contenteditable]:not([contenteditable='false'])";

/** Moves the focus as Tab does: through shadow roots and frames, and in a loop inside a modal dialog. */
export function moveTab(element: Element, step: 1 | -1): boolean {
  const { ownerDocument } = element;
  const modals = ownerDocument.querySelectorAll("dialog:modal");
  const scope = modals[modals.length - 1] ?? topOf(ownerDocument).documentElement;
  const all: HTMLElement[] = [];
  collect(scope, all);
  const first = all.filter((each) => each.tabIndex > 0).sort((a, b) => a.tabIndex - b.tabIndex);
  const order = [...first, ...all.filter((each) => each.tabIndex === 0)];
  if (order.length === 0) return false;
  const at = order.indexOf(element as HTMLElement);
  const next = at < 0 ? neighbourOf(element, order, step) : at + step;
  const target = order.at(next % order.length);
  target?.focus();
  // A browser selects what is in the field that Tab leads to.
  if (target?.localName === "input" && target === deepActiveElement(target.ownerDocument))
    (target as HTMLInputElement).select();
  return true;
}

function topOf(document: Document): Document {
  try {
    return document.defaultView?.top?.document ?? document;
  } catch {
    return document;
  }
}

/** From something that Tab does not reach, such as the page, the order continues by position. */
function neighbourOf(element: Element, order: readonly HTMLElement[], step: 1 | -1): number {
  if (element === element.ownerDocument.body) return step > 0 ? 0 : -1;
  const after = order.findIndex(
    (each) => (element.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
  if (after < 0) return step > 0 ? 0 : -1;
  return step > 0 ? after : after - 1;
}

/** In the order in which things are drawn: the content of a shadow root in place of its host's. */
function collect(element: Element, found: HTMLElement[]): void {
  const html = element as HTMLElement;
  if (element.matches(TABBABLE) && html.tabIndex >= 0 && html.checkVisibility() && isStop(element))
    found.push(html);
  if (element.hasAttribute("inert")) return;
  const inner = isFrame(element) ? documentIn(element)?.documentElement : undefined;
  const slotted = element.localName === "slot" ? (element as HTMLSlotElement).assignedElements() : [];
  const children = inner ? [inner] : slotted.length > 0 ? slotted : (element.shadowRoot ?? element).children;
  for (const child of children) collect(child, found);
}

/** Only the chosen radio button of a group is a stop. */
function isStop(element: Element): boolean {
  const { type, checked, name, form } = element as HTMLInputElement;
  if (element.localName !== "input" || type !== "radio" || checked || name === "") return true;
  const scope = form ?? (element.getRootNode() as Document);
  for (const each of scope.querySelectorAll<HTMLInputElement>("input[type=radio]:checked"))
    if (each.name === name && each.form === form) return false;
  return true;
}
