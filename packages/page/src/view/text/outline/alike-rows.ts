import type { DomWatch } from "../../watch.js";

/** So many rows are compared with the first ones; the rest of a longer list is counted by tag. */
const MAX_COMPARED = 1_000;

interface Alike {
  readonly more: number;
  readonly last: Element;
  readonly isExact: boolean;
}

interface Counted extends Alike {
  readonly first: Element;
  readonly size: string;
}

/** Counts siblings that are alike. Those of a long list are counted again only after something in it changed. */
export class AlikeRows {
  private readonly counted = new WeakMap<Node, Counted>();

  constructor(watch: DomWatch) {
    watch.listen((records) => {
      for (const { target } of records) {
        this.counted.delete(target);
        if (target.parentNode) this.counted.delete(target.parentNode);
      }
    });
  }

  /** How many siblings in a row are like this one. */
  after(element: Element): Alike {
    const parent = element.parentElement;
    if (!parent) return countAfter(element);
    // Rows that style sheets hide make it smaller.
    const { width, height } = parent.getBoundingClientRect();
    const size = `${width} ${height}`;
    const known = this.counted.get(parent);
    if (known && known.first === element && known.size === size) return known;
    const counted = { ...countAfter(element), first: element, size };
    this.counted.set(parent, counted);
    return counted;
  }
}

function countAfter(element: Element): Alike {
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
