import { isElement } from "../../elements/dom.js";
import type { AlikeRows } from "./alike-rows.js";
import { kindOf, MIN_FOLDED, nounOf, SHOWN_ROWS, type TextBlock } from "./fold.js";

export interface Folded {
  /** Replaces what was read last. */
  readonly block: TextBlock;
  /** How many rows are not shown. */
  readonly count: number;
  readonly last: Element;
}

/**
 * Watches siblings while they are read. When more than a few are alike, those that follow are counted instead of read:
 * reading the rows of a long list takes far longer than showing that there are many.
 */
export class Run {
  private kind = "";
  private count = 0;

  constructor(private readonly alike: AlikeRows) {}

  /** What was read of a node; replaces the last block when it and those that follow are folded. */
  add(node: Node, read: readonly TextBlock[]): Folded | undefined {
    if (!isElement(node) || read.length === 0) return undefined;
    const [block] = read as [TextBlock];
    const kind = read.length > 1 ? "" : kindOf(block);
    this.count = kind !== "" && kind === this.kind ? this.count + 1 : 1;
    this.kind = kind;
    if (this.count <= SHOWN_ROWS) return undefined;
    const { more, last, isExact } = this.alike.after(node);
    if (1 + more < MIN_FOLDED) return undefined;
    this.kind = "";
    const line = `… ${isExact ? "" : "about "}${1 + more} more ${nounOf(block)}`;
    return { block: { element: firstPlace(block), line, children: [], isCut: true }, count: more, last };
  }
}

function firstPlace(block: TextBlock): object {
  return block.line === undefined && block.children[0] ? firstPlace(block.children[0]) : block.element;
}
