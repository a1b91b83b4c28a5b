import { stripControlCharacters, truncate } from "@debug-bridge/protocol";
import { isMarked } from "../../privacy/private-elements.js";
import { documentIn, isElement, isFrame, squash } from "../elements/dom.js";
import { standInFor } from "../elements/drawn-by-label.js";
import { flatText, nameOf, textOf } from "../elements/names.js";
import { headingLevel, isLandmark, roleOf } from "../elements/roles.js";
import { isContents } from "../elements/visibility.js";
import type { Entry } from "../tree/ui-tree.js";
import type { PageView } from "../view.js";
import { itemLine, quoted } from "./item-line.js";

/** A part of the page as text: its own line, if it has text, and what is inside it. */
export interface Block {
  readonly element: Element;
  readonly line: string | undefined;
  readonly children: Block[];
}

const SILENT = new Set(["script", "style", "template", "noscript", "head", "option", "optgroup", "datalist"]);
const INLINE = new Set(
  "abbr b bdi bdo cite code data del dfn em font i ins kbd mark output q s samp small span strong sub sup time u var wbr slot".split(
    " ",
  ),
);
/** Only these are worth the full computation of a role; every other tag without a `role` is neither. */
const SECTIONING = new Set("main nav header footer aside section form dialog search article".split(" "));
const TEXT_LENGTH = 300;

/** The page, or a part of it, as nested blocks in reading order. */
export function outline(view: PageView, from: Element): Block {
  const entries = new Map<Element, Entry>(view.tree.entries.map((entry) => [entry.element, entry]));
  return new Outliner(view, entries).block(from, false) ?? { element: from, line: undefined, children: [] };
}

class Outliner {
  /** Drawings with something usable in them. All others are pictures, of many parts each. */
  private readonly drawings = new Set<Element>();

  constructor(
    private readonly view: PageView,
    private readonly entries: ReadonlyMap<Element, Entry>,
  ) {
    for (const element of entries.keys())
      for (let svg = (element as SVGElement).ownerSVGElement; svg; svg = svg.ownerSVGElement)
        this.drawings.add(svg);
  }

  /** `said`: the text of this element is part of a line above it, so only usable elements get their own line. */
  block(element: Element, said: boolean): Block | undefined {
    if (SILENT.has(element.localName) || this.view.isOurs(element)) return undefined;
    if (!(element as HTMLElement).checkVisibility() && !isContents(element)) return undefined;
    const entry = this.entries.get(element);
    if (entry) return this.usable(element, entry, said);
    if (element.localName === "svg")
      return this.drawings.has(element) ? this.with(element, undefined, true) : undefined;
    const level = headingLevel(element);
    if (level > 0)
      return this.with(
        element,
        `${"#".repeat(level)} ${this.clean(nameOf(element, this.view.masker), element)}`,
        true,
      );
    if (element.localName === "tr" || element.getAttribute("role") === "row") return this.row(element, said);
    if (element.localName === "img") {
      const alt = element.getAttribute("alt");
      return alt && !said ? this.leaf(element, `img ${quoted(this.clean(alt, element))}`) : undefined;
    }
    const landmark = this.landmark(element);
    if (landmark) return this.with(element, landmark, false);
    const text = said ? "" : this.ownText(element);
    if (text === "") return this.with(element, undefined, said);
    // Its line has the inline parts; blocks inside it have their own lines.
    return this.with(element, text, (child) => INLINE.has(child.localName));
  }

  private usable(element: Element, entry: Entry, said: boolean): Block | undefined {
    const { item } = entry;
    if (
      item.hiddenBy === "inert" ||
      (item.visible === false && item.hiddenBy !== "occluded") ||
      standInFor(entry, this.entries)
    ) {
      return this.with(element, undefined, said);
    }
    const { control } = element as HTMLLabelElement;
    const named = element.localName === "label" && control && this.entries.get(control);
    if (named) {
      const { hiddenBy, ...shown } = named.item;
      const standsIn = standInFor(named, this.entries) === element;
      return this.with(element, standsIn ? itemLine(shown) : undefined, true);
    }
    const line = itemLine(item);
    return element.childElementCount > 0 || element.shadowRoot
      ? this.with(element, line, true)
      : this.leaf(element, line);
  }

  /** A row of a table: its cells on one line, then what can be used in it. */
  private row(element: Element, said: boolean): Block | undefined {
    const cells = [...element.children].map((cell) => this.clean(this.cellText(cell), cell));
    const text = cells.filter((cell) => cell !== "").join(" | ");
    return this.with(element, said || text === "" ? undefined : `row ${truncate(text, TEXT_LENGTH)}`, true);
  }

  /** Text of a cell without that of the buttons and fields in it, which have lines of their own. */
  private cellText(cell: Node): string {
    if (cell.nodeType === 3) return cell.nodeValue ?? "";
    if (!isElement(cell) || this.entries.has(cell)) return "";
    if (SILENT.has(cell.localName) || cell.localName === "svg") return "";
    if (isMarked(this.view.masker, cell)) return textOf(cell, this.view.masker);
    let text = "";
    for (const child of cell.childNodes) text += `${text ? " " : ""}${this.cellText(child)}`;
    return squash(text);
  }

  private landmark(element: Element): string | undefined {
    if (!element.hasAttribute("role") && !SECTIONING.has(element.localName)) return undefined;
    const role = roleOf(element);
    if (role === "alert" || role === "status") {
      const text = this.clean(flatText(element, this.view.masker), element);
      return text === "" ? undefined : `[${role}] ${truncate(text, TEXT_LENGTH)}`;
    }
    if (!isLandmark(role)) return undefined;
    const label =
      element.getAttribute("aria-label") || element.hasAttribute("aria-labelledby")
        ? nameOf(element, this.view.masker)
        : "";
    if ((role === "region" || role === "form") && label === "") return undefined;
    return `[${role}${label === "" ? "" : ` ${quoted(label)}`}]`;
  }

  /** The text that is directly in an element, with its inline parts. */
  private ownText(element: Element): string {
    let direct = false;
    let text = "";
    for (const node of element.childNodes) {
      if (node.nodeType === 3) {
        const part = node.nodeValue ?? "";
        if (/\S/.test(part)) direct = true;
        text += part;
      } else if (isElement(node) && INLINE.has(node.localName) && !this.entries.has(node))
        text += ` ${flatText(node, this.view.masker)}`;
      else text += " ";
    }
    return direct ? truncate(this.clean(text, element), TEXT_LENGTH) : "";
  }

  private clean(text: string, element: Element): string {
    const flat = squash(stripControlCharacters(text));
    if (flat === "") return "";
    return this.view.masker.isPrivate(element) ? this.view.masker.mask : this.view.masker.url(flat);
  }

  private with(
    element: Element,
    line: string | undefined,
    said: boolean | ((child: Element) => boolean),
  ): Block | undefined {
    const children: Block[] = [];
    for (const child of childrenOf(element)) {
      const block = this.block(child, typeof said === "boolean" ? said : said(child));
      if (block) children.push(block);
    }
    if (line === undefined && children.length === 0) return undefined;
    // A wrapper without text that contains one thing is replaced by it.
    if (line === undefined && children.length === 1) return children[0];
    return { element, line, children };
  }

  private leaf(element: Element, line: string): Block {
    return { element, line, children: [] };
  }
}

function childrenOf(element: Element): Iterable<Element> {
  if (element.localName === "slot") {
    const assigned = (element as HTMLSlotElement).assignedElements();
    return assigned.length > 0 ? assigned : element.children;
  }
  if (isFrame(element)) {
    const inside = documentIn(element)?.body;
    return inside ? [inside] : [];
  }
  return (element.shadowRoot ?? element).children;
}
