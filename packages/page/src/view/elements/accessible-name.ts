import { isElement, squash } from "./dom.js";

/** How a node came to be part of a name. */
interface Path {
  /** Elements that are already in the name. */
  readonly seen: Set<Node>;
  /** It is part of the content of another element, not the one that is named. */
  readonly isPart: boolean;
  /** `aria-labelledby` leads to it: it counts although it is hidden, and leads no further. */
  readonly isReferenced: boolean;
}

const CONTENT_NAMED_ROLES =
  /^(?:button|cell|checkbox|columnheader|gridcell|heading|label|legend|link|menuitem\w*|option|radio|row|rowheader|switch|tab|tooltip|treeitem)$/;
const BUTTON = /^(?:button|submit|reset)$/;
const BUTTON_NAMES: Readonly<Record<string, string>> = { submit: "Submit", reset: "Reset", image: "Submit" };
/** The child that names an element. */
const NAMING_CHILD: Readonly<Record<string, string>> = {
  fieldset: "legend",
  table: "caption",
  figure: "figcaption",
  svg: "title",
};

/**
 * The accessible name of an element, by the rules of ARIA ("Accessible Name and Description Computation"). `roleOf`
 * says what an element is.
 */
export function accessibleName(element: Element, roleOf: (element: Element) => string): string {
  return squash(new Namer(roleOf).name(element, { seen: new Set(), isPart: false, isReferenced: false }));
}

class Namer {
  constructor(private readonly roleOf: (element: Element) => string) {}

  name(element: Element, path: Path): string {
    if (path.seen.has(element)) return "";
    path.seen.add(element);
    const style = element.ownerDocument.defaultView?.getComputedStyle(element);
    const isHidden =
      element.getAttribute("aria-hidden") === "true" ||
      style?.display === "none" ||
      (style?.visibility ?? "visible") !== "visible";
    if (isHidden && !path.isReferenced) return "";
    return (
      (path.isPart ? this.embeddedValue(element) : "") ||
      (path.isReferenced ? "" : this.labelledBy(element, path)) ||
      squash(element.getAttribute("aria-label") ?? "") ||
      this.native(element, path) ||
      (path.isPart || path.isReferenced || CONTENT_NAMED_ROLES.test(this.roleOf(element))
        ? squash(this.content(element, path))
        : "") ||
      squash(element.getAttribute("title") ?? "") ||
      squash(element.getAttribute("placeholder") ?? "")
    );
  }

  private labelledBy(element: Element, path: Path): string {
    const ids = element.getAttribute("aria-labelledby");
    if (!ids) return "";
    const root = element.getRootNode() as Document;
    return this.joined(
      ids.split(/\s+/).flatMap((id) => root.getElementById?.(id) ?? []),
      // An element may be part of the label that names it: "Delete", labelled by itself and by its file.
      { seen: new Set(), isPart: path.isPart, isReferenced: true },
    );
  }

  private joined(sources: readonly Element[], path: Path): string {
    return squash(sources.map((source) => this.name(source, path)).join(" "));
  }

  /** The value of a control that is inside a label: "Remind me in [5] minutes". */
  private embeddedValue(element: Element): string | undefined {
    const role = this.roleOf(element);
    const { value, selectedOptions } = element as HTMLInputElement & HTMLSelectElement;
    if (role === "textbox" || role === "searchbox") return value ?? element.textContent ?? "";
    if (selectedOptions) return Array.from(selectedOptions, (option) => option.text).join(" ");
    if (role === "combobox") return value;
    if (/^(?:slider|spinbutton|progressbar|meter|scrollbar)$/.test(role))
      return element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow") ?? value;
    return undefined;
  }

  private native(element: Element, path: Path): string {
    const { localName } = element;
    const { type, labels, value, alt } = element as HTMLInputElement;
    if (localName === "input") {
      if (BUTTON.test(type)) return squash(value) || (BUTTON_NAMES[type] ?? "");
      if (type === "image") return squash(alt) || squash(element.getAttribute("title") ?? "") || "Submit";
    }
    if (labels && labels.length > 0 && !path.isReferenced) {
      const name = this.joined([...labels], { ...path, isPart: true });
      if (name !== "") return name;
    }
    if (localName === "img" || localName === "area") return squash(element.getAttribute("alt") ?? "");
    const child = NAMING_CHILD[localName];
    for (const each of child ? element.children : [])
      if (each.localName === child)
        return child === "title"
          ? squash(each.textContent ?? "")
          : this.name(each, { ...path, isPart: true });
    return "";
  }

  private content(element: Element, path: Path): string {
    const view = element.ownerDocument.defaultView;
    const drawn = (pseudo: string): string =>
      /"((?:\\.|[^"\\])*)"/s.exec(view?.getComputedStyle(element, pseudo).content ?? "")?.[1] ?? "";
    let text = drawn("::before");
    for (const node of nodesIn(element)) {
      if (node.nodeType === 3) text += node.nodeValue;
      else if (isElement(node)) {
        const name = this.name(node, { ...path, isPart: true, isReferenced: false });
        const isInline = view?.getComputedStyle(node).display.startsWith("inline") && node.localName !== "br";
        text += isInline ? name : ` ${name} `;
      }
    }
    return text + drawn("::after");
  }
}

function nodesIn(element: Element): Iterable<Node> {
  if (element.localName !== "slot") return (element.shadowRoot ?? element).childNodes;
  const assigned = (element as HTMLSlotElement).assignedNodes();
  return assigned.length > 0 ? assigned : element.childNodes;
}
