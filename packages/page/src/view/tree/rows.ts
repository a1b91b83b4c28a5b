import { containsAcross, parentAcross, squash } from "../elements/dom.js";

/**
 * What an element that is not the only one of its role and name belongs to: a row and the texts that distinguish it from the
 * other rows. Frameworks reuse elements (keys by index, lists that draw only what is on the screen), so that the same
 * "Delete" may stand beside another person's name a moment later.
 */
export interface Context {
  readonly row: WeakRef<Element>;
  readonly texts: readonly string[];
}

const ROW = "li,tr,article,[role=row],[role=listitem],[role=option],[role=treeitem],[role=article]";
/** Their text is what they do or what was typed into them; it does not identify the row. */
const CONTROL =
  "button,input,select,textarea,option,script,style,template,[role=button],[role=switch],[role=checkbox],[role=textbox],[contenteditable]:not([contenteditable='false'])";
const TICKING =
  "time,output,progress,meter,[role=timer],[role=status],[role=progressbar],[role=meter],[aria-live]";
/** Attributes in which apps keep what a row is about. */
const KEYS = ["data-id", "data-key", "data-row-id", "data-row-key", "data-item-id", "data-testid"];
/** The beginning of a large row is enough to identify it, and changes less often than the rest. */
const MAX_TEXTS = 12;
const MAX_HEIGHT = 12;

interface Text {
  readonly text: string;
  /**
   * Changes while the row stays what it is: a count, an age, a price. Such texts begin with a number; those that end
   * with one are names as often as not ("Order 7"), as are long numbers, so they count as steady: a ref that fails
   * without need costs a look, one that does not when it should costs somebody's data.
   */
  readonly volatile: boolean;
}

/** Reads rows, once each until something in them changes. */
export class Rows {
  private read = new WeakMap<Element, readonly Text[]>();
  private readonly used = new WeakSet<Element>();

  /** Whether refs hold only in this row. */
  isRow(element: Element): boolean {
    return this.used.has(element);
  }

  /** The texts of these rows, or of everything, may have changed. */
  forget(touched: ReadonlySet<Element>, everything: boolean): void {
    if (everything) this.read = new WeakMap();
    else for (const element of touched) this.read.delete(element);
  }

  /** Whether the element still belongs to the same row. */
  holds({ row: weak, texts }: Context, element: Element): boolean {
    const row = weak.deref();
    return row?.isConnected === true && holds(row, element) && this.reads(row, texts);
  }

  reads(row: Element, texts: readonly string[]): boolean {
    const now = this.textsOf(row);
    return texts.every((text) => now.some((each) => each.text === text));
  }

  /**
   * What distinguishes each of these elements, which have role and name in common: the steady texts that no other row
   * has. If there are none, all steady texts, and the counts that no other row has.
   */
  distinguish(peers: readonly Element[]): (Context | undefined)[] {
    const rows = peers.map((element, i) => this.rowOf(element, peers[i - 1], peers[i + 1]));
    const counts = new Map<string, number>();
    for (const row of new Set(rows)) {
      const texts = row ? this.textsOf(row) : [];
      for (const text of new Set(texts.map((each) => each.text)))
        counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return rows.map((row) => {
      if (!row) return undefined;
      this.used.add(row);
      const texts = this.textsOf(row);
      const own = texts.filter(({ text }) => counts.get(text) === 1);
      const named = own.filter(({ volatile }) => !volatile);
      const telling = named.length > 0 ? named : texts.filter((each) => !each.volatile || own.includes(each));
      return { row: new WeakRef(row), texts: telling.map(({ text }) => text) };
    });
  }

  /**
   * The row that the element is in: by its markup, else the largest part of the page that holds none of the others.
   * Markup that holds others on both sides (an article around the whole page) is a row only when nothing better is.
   */
  rowOf(element: Element, before: Element | undefined, after: Element | undefined): Element | undefined {
    let alone: Element | undefined;
    // From the element itself: what has no name but its text (a row that is clickable as a whole) is its own row.
    let at: Element | null = element;
    for (let height = 0; at && height < MAX_HEIGHT && at.localName !== "body"; height++) {
      const left = before !== undefined && holds(at, before);
      const right = after !== undefined && holds(at, after);
      if (!left && !right) alone = at;
      if (at.matches(ROW)) return left && right && alone && this.textsOf(alone).length > 0 ? alone : at;
      at = parentAcross(at);
    }
    return alone;
  }

  private textsOf(row: Element): readonly Text[] {
    let texts = this.read.get(row);
    if (!texts) {
      const found: Text[] = [];
      for (const key of KEYS) {
        const value = row.getAttribute(key);
        if (value) found.push({ text: `${key}=${value}`, volatile: false });
      }
      if (!row.matches(CONTROL)) collect(row, false, found);
      texts = found;
      this.read.set(row, texts);
    }
    return texts;
  }
}

function collect(node: Element | ShadowRoot, ticking: boolean, found: Text[]): void {
  for (const child of node.childNodes) {
    if (found.length >= MAX_TEXTS) return;
    if (child.nodeType === 3) {
      const text = squash(child.nodeValue ?? "").slice(0, 80);
      if (text !== "") found.push({ text, volatile: ticking || isVolatile(text) });
    } else if (child.nodeType === 1) {
      const element = child as Element;
      if (element.matches(CONTROL)) continue;
      const alt = element.localName === "img" ? squash(element.getAttribute("alt") ?? "") : "";
      if (alt !== "") found.push({ text: alt.slice(0, 80), volatile: false });
      const below = ticking || element.matches(TICKING);
      if (element.shadowRoot) collect(element.shadowRoot, below, found);
      collect(element, below, found);
    }
  }
}

function isVolatile(text: string): boolean {
  return (/^[^\p{L}\d]*\d/u.test(text) && !/\d{4}/.test(text)) || / ago$/i.test(text);
}

/** The browser's own check where it is enough. */
function holds(outer: Element, inner: Element): boolean {
  return (
    outer.contains(inner) || (inner.getRootNode() !== outer.getRootNode() && containsAcross(outer, inner))
  );
}
