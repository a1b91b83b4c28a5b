import { isElement } from "../elements/dom.js";
import { kindOf, MIN_FOLDED, nounOf, SHOWN_ROWS, type TextBlock } from "./fold.js";

/** So many rows are compared with the first ones; the rest of a longer list is counted by tag. */
const MAX_COMPARED = 2_000;

/**
 * Watches siblings while they are read. When more than a few are alike, those that follow are counted instead of read:
 * reading the rows of a long list takes far longer than showing that there are many.
 */
export class Run {
  private kind = "";
  private count = 0;
  private until: Node | undefined;

  /** Whether a node was counted already. */
  skips(node: Node): boolean {
    if (!this.until) return false;
    if (this.until === node) this.until = undefined;
    return true;
  }

  /** What was read of a node; replaces the last block when it and those that follow are folded. */
  add(node: Node, read: readonly TextBlock[]): TextBlock | undefined {
    if (!isElement(node) || read.length === 0) return undefined;
    const [block] = read as [TextBlock];
    const kind = read.length > 1 ? "" : kindOf(block);
    this.count = kind !== "" && kind === this.kind ? this.count + 1 : 1;
    this.kind = kind;
    if (this.count <= SHOWN_ROWS) return undefined;
    const { more, last, isExact } = alikeAfter(node);
    if (1 + more < MIN_FOLDED) return undefined;
    this.until = last;
    this.kind = "";
    const line = `… ${isExact ? "" : "about "}${1 + more} more ${nounOf(block)}`;
    return { element: firstPlace(block), line, children: [], isCut: true };
  }
}

function firstPlace(block: TextBlock): object {
  return block.line === undefined && block.children[0] ? firstPlace(block.children[0]) : block.element;
}

/** How many siblings in a row are like this one. */
function alikeAfter(element: Element): { more: number; last: Element; isExact: boolean } {
  const shape = shapeOf(element);
  let more = 0;
  let last = element;
  for (let next = element.nextElementSibling; next; next = next.nextElementSibling) {
    const isCompared = more < MAX_COMPARED;
    if (isCompared ? shapeOf(next) !== shape : next.localName !== element.localName) break;
    last = next;
    if (!isCompared || next.checkVisibility()) more++;
  }
  return { more, last, isExact: more < MAX_COMPARED };
}

function shapeOf(element: Element): string {
  const { localName, firstElementChild, firstChild } = element;
  return `${localName} ${element.getAttribute("role")} ${firstElementChild?.localName} ${firstChild?.nodeType}`;
}
