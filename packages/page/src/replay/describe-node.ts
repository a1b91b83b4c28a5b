import { MASK } from "@debug-bridge/protocol";
import { FIELDS, type Masker } from "../privacy/masker.js";
import { isPrivateAttribute } from "../privacy/private-attributes.js";
import { isElement } from "../view/elements/dom.js";
import { type Attributes, NODE, type ReplayNode } from "./events.js";

/** What shows nothing, or what a player must not have. */
const LEFT_OUT =
  /^(?:script|noscript|template|meta|base|object|embed|applet|frame|frameset|param|source|track)$/;
/** What is loaded from elsewhere has its size, so that a player can leave room for it. */
const SIZED = /^(?:img|video|canvas|iframe|picture)$/;
/** Code, and what is of no use to a player. */
const NO_ATTRIBUTE = /^(?:on.*|srcdoc|nonce|integrity|autofocus|srcset|ping)$/i;
const TEXT_LENGTH = 32_768;
const ATTRIBUTE_LENGTH = 4_096;

/** Whether a node has no place in a replay. */
export function isLeftOut(node: Node): boolean {
  if (node.nodeType === 3) {
    const parent = node.parentNode as Element | null;
    // The rules of a style sheet and the text of a field are reported separately.
    return parent?.localName === "style" || parent?.localName === "textarea";
  }
  if (!isElement(node)) return node.nodeType !== 10;
  if (node.localName === "link") return !/\bstylesheet\b/i.test((node as HTMLLinkElement).rel);
  return LEFT_OUT.test(node.localName);
}

/** A node for a player, without its children and without what must not be seen. */
export function describeNode(node: Node, id: number, masker: Masker, isPrivate: boolean): ReplayNode {
  if (node.nodeType === 10)
    return { type: NODE.doctype, id, name: (node as DocumentType).name, publicId: "", systemId: "" };
  if (!isElement(node)) return { type: NODE.text, id, textContent: shownText(node, masker) };
  return {
    type: NODE.element,
    id,
    tagName: node.localName,
    attributes: shownAttributes(node, masker, isPrivate),
    childNodes: [],
    ...(node.namespaceURI === "http://www.w3.org/2000/svg" ? { isSVG: true } : {}),
    ...(node.shadowRoot ? { isShadowHost: true } : {}),
  };
}

export function shownText(node: Node, masker: Masker): string {
  const slot = (node as Text).assignedSlot;
  return slot && masker.isPrivate(slot) ? MASK : masker.fit(node.nodeValue ?? "", TEXT_LENGTH);
}

function shownAttributes(element: Element, masker: Masker, isPrivate: boolean): Attributes {
  const out: Attributes = {};
  for (const { name } of element.attributes) {
    const value = shownAttribute(element, name, masker, isPrivate);
    if (value !== null) out[name] = value;
  }
  if (element.matches(FIELDS)) {
    const { text, isChecked } = shownField(element, masker, isPrivate);
    if (text !== "") out.value = text;
    if (isChecked) out.checked = true;
  }
  if (element.localName === "option" && (element as HTMLOptionElement).selected) out.selected = true;
  if (SIZED.test(element.localName)) {
    const { width, height } = element.getBoundingClientRect();
    out.rr_width = `${Math.round(width)}px`;
    out.rr_height = `${Math.round(height)}px`;
  }
  return out;
}

/** Whether players get an attribute. What a field holds, they get as what a person filled in. */
export const isGiven = (element: Element, name: string): boolean =>
  !NO_ATTRIBUTE.test(name) && !(name === "value" && element.matches(FIELDS));

/** The value of an attribute; null when a player does not get it. */
export function shownAttribute(
  element: Element,
  name: string,
  masker: Masker,
  isPrivate: boolean,
): string | null {
  const value = element.getAttribute(name);
  if (value === null || !isGiven(element, name)) return null;
  const isSecret =
    masker.hides(name) ||
    (name.startsWith("data-") && masker.hides(name.slice(5))) ||
    (isPrivate && isPrivateAttribute(name));
  return isSecret && value !== "" ? MASK : masker.fit(value, ATTRIBUTE_LENGTH, masker.url);
}

export interface ShownField {
  readonly text: string;
  readonly isChecked: boolean;
}

/** What a field holds, as far as it may be seen. */
export function shownField(element: Element, masker: Masker, isPrivate: boolean): ShownField {
  const { value, checked, type } = element as HTMLInputElement;
  const isHidden = isPrivate || masker.isSecretField(element);
  const isChoice = type === "checkbox" || type === "radio";
  if (isHidden) return { text: value === "" || isChoice ? "" : MASK, isChecked: false };
  return { text: masker.fit(value, ATTRIBUTE_LENGTH), isChecked: isChoice && checked };
}
