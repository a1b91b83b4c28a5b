import { MASK } from "@debug-bridge/protocol";
import type { Masker } from "../../privacy/masker.js";
import { holdsPrivate, isMarked } from "../../privacy/private-elements.js";
import { innerTextOf } from "../text/reading/inner-text.js";
import { accessibleName } from "./accessible-name.js";
import { type Aria, ariaOf } from "./aria.js";
import { squash } from "./dom.js";
import { roleOf } from "./roles.js";

/** Elements whose name is their content. */
const NAMED_BY_CONTENT = new Set([
  "button",
  "a",
  "summary",
  "label",
  "option",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
]);
const CONTENT_ROLES =
  /^(?:button|link|tab|menuitem\w*|option|treeitem|switch|checkbox|radio|heading|gridcell|cell)$/;
const LABELLED = new Set(["input", "select", "textarea"]);

/**
 * The accessible name. The cases that make up most of a page (plain text inside, one plain label, `aria-label`) are
 * read directly: the full computation asks for computed styles and costs some twenty times as much.
 *
 * With a masker, the name as it may be seen: what is private is shown as `•••`.
 */
export function nameOf(
  element: Element,
  masker?: Masker,
  plain = isPlain(element),
  isPrivate = masker?.isPrivate(element),
  aria = ariaOf(element),
): string {
  if (!masker) return shortcut(element, plain, aria) ?? fullName(element);
  if (isPrivate) return nameOf(element, undefined, plain) === "" ? "" : MASK;
  const isOpen = (source: Element): boolean => !masker.isPrivate(source) && !holdsPrivate(masker, source);
  const open =
    !holdsPrivate(masker, element) &&
    labelledBy(element, aria).every(isOpen) &&
    Array.from(labelsOf(element)).every(isOpen);
  return masker.url(
    open ? (shortcut(element, plain, aria) ?? fullName(element, masker)) : openName(element, masker, aria),
  );
}

/** The labels of a control. Asked only where there can be one: a page of buttons would be searched for each. */
function labelsOf(element: Element): ArrayLike<Element> {
  const mayHave = LABELLED.has(element.localName) || element.id !== "" || element.closest("label") !== null;
  return (mayHave && (element as HTMLInputElement).labels) || NOBODY;
}

const NOBODY: readonly Element[] = [];

function labelledBy(element: Element, aria: Aria): readonly Element[] {
  const ids = aria("aria-labelledby");
  if (!ids) return NOBODY;
  const root = element.getRootNode() as Document;
  return ids.split(/\s+/).flatMap((id) => root.getElementById?.(id) ?? []);
}

/**
 * The name of an element that has private parts, or is named by some. The full computation knows nothing of privacy,
 * so the usual sources are read in their order, and what is private in them is left out.
 */
function openName(element: Element, masker: Masker, aria: Aria): string {
  const own = (name: string): string => squash(element.getAttribute(name) ?? "");
  const joined = (sources: ArrayLike<Element>): string =>
    squash(Array.from(sources, (source) => textOf(source, masker)).join(" "));
  return (
    joined(labelledBy(element, aria)) ||
    own("aria-label") ||
    joined(labelsOf(element)) ||
    (namedByContent(element) ? textOf(element, masker) : "") ||
    own("title") ||
    own("placeholder")
  );
}

function shortcut(element: Element, plain: boolean, aria: Aria): string | undefined {
  if (aria("aria-labelledby") !== null) return undefined;
  const label = aria("aria-label");
  if (label) {
    const name = squash(label);
    if (name !== "") return name;
  }
  const tag = element.localName;
  if (LABELLED.has(tag)) return controlName(element as HTMLInputElement);
  if (!NAMED_BY_CONTENT.has(tag) || element.shadowRoot) return undefined;
  if (tag === "label") return squash(element.textContent ?? "");
  if (!plain) return undefined;
  const text = squash(element.textContent ?? "");
  return text === "" ? undefined : text;
}

const INLINE = new Set([
  "b",
  "bdi",
  "code",
  "em",
  "i",
  "kbd",
  "mark",
  "small",
  "span",
  "strong",
  "sub",
  "sup",
  "u",
]);
const PLAIN_ATTRIBUTE = /^(?:class|style|id|dir|lang|data-.*)$/;

/** Whether an element contains only visible text, possibly in inline elements without ARIA attributes. */
export function isPlain(element: Element): boolean {
  for (let inner = element.firstElementChild; inner; inner = inner.nextElementSibling) {
    if (!INLINE.has(inner.localName) || !(inner as HTMLElement).checkVisibility() || !isPlain(inner))
      return false;
    for (const { name } of inner.attributes) if (!PLAIN_ATTRIBUTE.test(name)) return false;
  }
  return element.shadowRoot === null;
}

function controlName(control: HTMLInputElement): string | undefined {
  const { type, labels } = control;
  if (type === "submit" || type === "button" || type === "reset") return squash(control.value) || undefined;
  if (!labels || type === "image") return undefined;
  if (labels.length === 0) {
    return control.hasAttribute("title") || control.placeholder ? undefined : "";
  }
  const label = labels[0] as HTMLLabelElement;
  if (labels.length > 1 || label.hasAttribute("aria-label") || label.hasAttribute("aria-labelledby"))
    return undefined;
  const children = label.childElementCount;
  const plain = children === 0 || (children === 1 && label.firstElementChild === control);
  if (!plain || control.localName !== "input")
    return children === 0 ? squash(label.textContent ?? "") || undefined : undefined;
  return squash(label.textContent ?? "") || undefined;
}

function fullName(element: Element, masker?: Masker): string {
  let name = "";
  try {
    name = accessibleName(element, roleOf);
  } catch {
    // An element of an unusual kind (SVG, a half-built custom element) still has its text.
  }
  if (name !== "" || (element as HTMLElement).checkVisibility()) return name;
  // What is not displayed has no name by the rules, but its label may be there to be clicked.
  if (LABELLED.has(element.localName))
    return squash(Array.from(labelsOf(element), (label) => flatText(label, masker)).join(" "));
  if (!namedByContent(element)) return name;
  return squash(flatText(element, masker)) || squash(element.getAttribute("title") ?? "");
}

function namedByContent(element: Element): boolean {
  if (NAMED_BY_CONTENT.has(element.localName)) return true;
  const role = element.getAttribute("role");
  return role ? CONTENT_ROLES.test(role) : element.shadowRoot !== null;
}

const SKIPPED = new Set(["script", "style", "template", "noscript"]);

/**
 * Text as a person sees it through shadow roots and slots, which `textContent` does not cross. With a masker, private
 * parts are `•••`; the caller knows whether it is in a private part itself.
 */
function flatText(node: Node, masker?: Masker, most = 2_000): string {
  if (node.nodeType === 3) return node.nodeValue ?? "";
  if (node.nodeType !== 1 && node.nodeType !== 11) return "";
  const element = node as Element;
  if (SKIPPED.has(element.localName) || (element as HTMLElement).hidden) return "";
  if (masker && node.nodeType === 1) {
    if (LABELLED.has(element.localName) && masker.isSecretField(element)) return "";
    if (isMarked(masker, element)) return masked(flatText(element));
  }
  const slotted = element.localName === "slot" ? (element as HTMLSlotElement).assignedNodes() : [];
  const children = slotted.length > 0 ? slotted : (element.shadowRoot ?? element).childNodes;
  let text = "";
  for (const child of children) {
    text += `${text && isBlockLike(child) ? " " : ""}${flatText(child, masker, most - text.length)}`;
    if (text.length >= most) break;
  }
  return text;
}

function isBlockLike(node: Node): boolean {
  return (
    node.nodeType === 1 &&
    !INLINE.has((node as Element).localName) &&
    !/^(?:a|s|slot)$/.test((node as Element).localName)
  );
}

function masked(text: string): string {
  return squash(text) === "" ? "" : MASK;
}

/** The trimmed inner text; through roots and slots where there are any. With a masker, as it may be seen. */
export function textOf(
  element: Element,
  masker?: Masker,
  isPrivate = masker?.isPrivate(element),
  tidy = squash,
): string {
  if (isPrivate) return masked(textOf(element));
  const text = tidy(innerText(element, masker));
  return masker ? masker.url(text) : text;
}

function innerText(element: Element, masker: Masker | undefined): string {
  const first = element.firstElementChild;
  if (!first && !element.shadowRoot) return element.textContent ?? "";
  if (element.shadowRoot || element.querySelector("slot") || (masker && holdsPrivate(masker, element)))
    return flatText(element, masker);
  return innerTextOf(element);
}
