import { estimateTokens, MASK } from "@debug-bridge/protocol";
import { glance, isMarked } from "../../../privacy/private-elements.js";
import { documentIn, isElement, isFrame, squash } from "../../elements/dom.js";
import { standInFor } from "../../elements/drawn-by-label.js";
import { nameOf } from "../../elements/names.js";
import { headingLevel, isLandmark, roleOf } from "../../elements/roles.js";
import type { Entry } from "../../tree/ui-tree.js";
import type { PageView } from "../../view.js";
import type { Looks } from "../reading/looks.js";
import type { Screen } from "../reading/screen.js";
import { type Block, covers, inOneLine, isShownIn, withoutContent } from "./block.js";
import { childNodesOf } from "./child-nodes.js";
import {
  drawnText,
  gapAfter,
  gapBefore,
  isInlineBox,
  isOutOfSight,
  type Pseudo,
  PseudoContents,
  styleOf,
} from "./drawn.js";
import { allLines, shorten } from "./fold.js";
import { itemLine, NAME_LENGTH, quoted } from "./item-line.js";
import { Line } from "./line.js";
import { Run } from "./run.js";

const SILENT = new Set(
  "script style template noscript head option optgroup datalist title desc defs".split(" "),
);
/** Only these are worth the full computation of a role; every other tag without a `role` is neither. */
const SECTIONING = new Set("main nav header footer aside section form dialog search article".split(" "));
/** Results of `compareDocumentPosition` when neither element contains the other. */
const PRECEDING = 2;
const FOLLOWING = 4;
const CONTROLS = new Set(["input", "select", "textarea"]);

/** What is done with text: it is shown, it is part of a line elsewhere, it is masked, or nobody sees it. */
type Mode = "shown" | "said" | "private" | "unseen";

/** A page as text, and how many usable elements it names. */
export interface Outline {
  readonly block: Block;
  readonly total: number;
  /** Reading ended before the page did. */
  readonly isCut: boolean;
  /** About how many tokens the whole page costs, with the rows that were counted instead of read. */
  readonly tokens: number;
}

export interface OutlineOptions {
  /** The part to read; everything when left out. */
  readonly screen?: Screen | undefined;
  /** Gets to know every element that is drawn. */
  readonly looks?: Looks | undefined;
  /** Gets every element that is read, in document order. */
  readonly seen?: Element[] | undefined;
  /** Ends reading when there is more text than so many tokens. */
  readonly maxTokens?: number | undefined;
  /** Counts rows that are like the ones before instead of reading them. */
  readonly folds?: boolean;
  /** What is before this is left out, as far as it is no part of the same line. */
  readonly start?: Node | undefined;
}

/** The page, or a part of it, as nested blocks in reading order. All visible text is in it. */
export function outline(view: PageView, from: Element, options: OutlineOptions = {}): Outline {
  const reader = new Reader(view, view.tree.byElement, options);
  const children = glance(view.masker, view.tree.roots, () => reader.read([from], "shown"));
  return {
    block: { element: from, line: undefined, children },
    total: reader.used,
    isCut: reader.isFull,
    tokens: reader.tokens,
  };
}

class Reader {
  private blocks: Block[] = [];
  private line: Line;
  /** How many usable elements were described so far. */
  used = 0;
  /** Those, and the labels that represent them. */
  private readonly described = new Set<Node>();
  private readonly drawn = new PseudoContents();
  /** What the lines so far cost. Those inside a thing that is described are counted with it. */
  private spent = 0;
  /** What the rows cost that were counted. */
  private folded = 0;
  private depth = 0;
  private start: Node | undefined;
  /** The last of the rows that were counted. */
  private jump: Node | undefined;

  constructor(
    private readonly view: PageView,
    private readonly entries: ReadonlyMap<Element, Entry>,
    private readonly options: OutlineOptions,
  ) {
    this.line = this.newLine();
    this.start = options.start;
  }

  /** Reads nodes into separate blocks. */
  read(nodes: Iterable<Node>, mode: Mode): Block[] {
    const { blocks, line } = this;
    this.blocks = [];
    this.line = this.newLine();
    const run = this.options.folds && this.depth === 0 ? new Run(this.view.alike) : undefined;
    for (const node of nodes) {
      if (this.isFull) break;
      const from = this.blocks.length;
      const { spent } = this;
      this.visit(node, mode);
      const folded = run?.add(node, this.blocks.slice(from));
      if (!folded) continue;
      this.blocks.splice(from, 1, folded.block as Block);
      this.folded += folded.count * (this.spent - spent);
      this.jump = folded.last;
    }
    this.flush();
    const read = this.blocks;
    this.blocks = blocks;
    this.line = line;
    return read;
  }

  get isFull(): boolean {
    return this.depth === 0 && this.spent > (this.options.maxTokens ?? Number.POSITIVE_INFINITY);
  }

  get tokens(): number {
    return this.spent + this.folded;
  }

  /** Reads what becomes a part of something else: to its end, and counted with that. */
  private readInside(nodes: Iterable<Node>, mode: Mode): Block[] {
    this.depth++;
    this.start = undefined;
    const read = this.read(nodes, mode);
    this.depth--;
    return read;
  }

  private spend(line: string): void {
    if (this.depth === 0 && this.options.maxTokens !== undefined)
      this.spent += estimateTokens(this.options.folds ? shorten(line) : line) + 1;
  }

  private isBeforeStart(node: Node): boolean {
    const { start } = this;
    if (!start || (node as Element).assignedSlot) return false;
    const position = node === start ? 0 : node.compareDocumentPosition(start);
    // It is read from here on: at the start, or after it. Of what is around it, and of other roots, nothing is known.
    if (position === 0 || position === PRECEDING) this.start = undefined;
    return position === FOLLOWING;
  }

  private newLine(): Line {
    return new Line((text) => this.view.masker.url(text));
  }

  private flush(): void {
    for (const { node, text, isThing } of this.line.end()) {
      const isUsable = isThing && this.described.has(node);
      this.spend(text);
      this.blocks.push({ element: node, line: text, children: [], isThing, isUsable });
    }
  }

  private visit(node: Node, mode: Mode, around?: CSSStyleDeclaration): void {
    if (this.isFull || this.isBeforeStart(node)) return;
    if (node.nodeType === 3) {
      if (mode === "shown") this.text(node as Text, around);
    } else if (isElement(node) && !SILENT.has(node.localName) && !this.view.isOurs(node))
      this.element(node, mode);
  }

  private text(node: Text, around: CSSStyleDeclaration | undefined): void {
    const parent = node.parentElement;
    const style: ReturnType<typeof styleOf> | null = around ?? (parent && styleOf(parent));
    if (style && style.visibility !== "visible") return;
    const { data } = node;
    const pre = style?.whiteSpaceCollapse?.startsWith("preserve") === true;
    this.line.addText(node, pre ? data : data.replace(/[\s\u200b]+/g, " "), pre && data.includes("\n"));
  }

  private element(element: Element, mode: Mode): void {
    this.options.seen?.push(element);
    const style = styleOf(element);
    const { display } = style;
    if (display === "none" || this.options.screen?.skips(element) || isOutOfSight(element, style, display))
      return;
    const isInline = isInlineBox(display);
    if (isInline) this.line.addText(element, gapBefore(style, display));
    else this.flush();
    this.content(element, mode, style, isInline);
    if (isInline) this.line.addText(element, gapAfter(style, display));
    if (!isInline || element.localName === "br") this.flush();
  }

  private content(element: Element, mode: Mode, style: CSSStyleDeclaration, isInline: boolean): void {
    const entry = this.entries.get(element);
    const inner = this.modeIn(element, mode, style);
    const { looks, screen } = this.options;
    if (inner !== "unseen") looks?.add(element, style, this.drawn, screen?.boxOf(element));
    if (inner === "private" && mode === "shown" && !entry && squash(element.textContent ?? "") !== "")
      this.line.addText(element, MASK);
    // A transparent control is used through what is drawn around it, and so is one in something transparent.
    const isControl = CONTROLS.has(element.localName);
    const isReached = isControl && mode === "unseen" && entry?.item.visible !== false;
    if (entry) this.usable(element, entry, isReached ? "shown" : isControl ? mode : inner, isInline);
    else if (isInline || this.describesItself(element)) this.inline(element, inner);
    else if (isRow(element)) this.row(element, inner);
    else this.block(element, inner);
  }

  /** What is drawn in the line of what is around it. */
  private inline(element: Element, mode: Mode): void {
    const thing = this.thing(element);
    if (thing === undefined) for (const node of this.nodesOf(element, mode)) this.visit(node, mode);
    else if (thing !== "" && mode === "shown") this.line.addThing(element, thing);
  }

  /** What has its own lines. */
  private block(element: Element, mode: Mode): void {
    const children = this.read(this.nodesOf(element, mode), mode);
    const landmark = this.landmark(element);
    if (landmark) {
      this.spend(landmark);
      this.blocks.push({ element, line: landmark, children });
    } else this.add(element, prefixOf(element), children);
  }

  /** Adds what was read of an element. The first line gets the prefix; a wrapper around one thing is replaced by it. */
  private add(element: Element, prefix: string, children: Block[]): void {
    const [first, ...rest] = children;
    if (!first) return;
    const head = prefix && first.line !== undefined;
    const line = head ? `${prefix}${first.isThing ? `[${first.line}]` : first.line}` : first.line;
    const isThing = !head && first.isThing === true;
    const isUsable = !head && first.isUsable === true;
    if (rest.length === 0)
      this.blocks.push({ ...first, element: isThing ? first.element : element, line, isThing, isUsable });
    else if (head) this.blocks.push({ element, line, children: [...first.children, ...rest] });
    else this.blocks.push({ element, line: undefined, children });
  }

  /** A row of a table is one line, with what can be used in it, so that it is never apart from its controls. */
  private row(element: Element, mode: Mode): void {
    if (element.querySelector("tr,[role=row]")) {
      this.blocks.push(...this.read(this.childNodes(element), mode));
      return;
    }
    const cells = [...childNodesOf(element)]
      .filter(isElement)
      .map((cell) => inOneLine(this.readInside([cell], mode)));
    const text = cells.filter((cell) => cell !== "").join(" | ");
    this.spend(text);
    if (text !== "") this.blocks.push({ element, line: `row ${text}`, children: [] });
  }

  private usable(element: Element, entry: Entry, mode: Mode, isInline: boolean): void {
    const { item } = entry;
    const isHidden = item.hiddenBy === "inert" || (item.visible === false && item.hiddenBy !== "occluded");
    const isLabel = element.localName === "label";
    const others = isHidden || mode === "unseen" || standInFor(entry, this.entries) !== undefined;
    const named = !others && isLabel && this.controlOf(element as HTMLLabelElement);
    if (named && standInFor(named, this.entries) === element) {
      const { hiddenBy, ...shown } = named.item;
      this.describe(element, itemLine(shown));
    }
    if (others || isLabel) {
      for (const node of childNodesOf(element)) this.visit(node, named ? "said" : mode);
      return;
    }
    const before = this.used;
    // What a label says is not what is inside its control.
    const own = mode === "said" ? "shown" : mode;
    const inside = CONTROLS.has(element.localName) ? [] : this.readInside(this.nodesOf(element, own), own);
    const text = inOneLine(inside);
    const holdsOthers = this.used > before;
    const line = itemLine(item);
    const bare = itemLine(withoutContent(entry, text));
    if (!holdsOthers && isShownIn(item, text)) this.describe(element, line);
    else if (!holdsOthers && text.length <= NAME_LENGTH && bare === line)
      this.describe(element, `${line} text ${quoted(text)}`);
    else if (isInline && inside.length === 1) this.describe(element, `${bare}: ${text}`);
    else {
      this.used++;
      this.flush();
      const block = { element, line: bare, children: inside, isUsable: true };
      for (const { text: each } of allLines(block)) this.spend(each);
      this.blocks.push(block);
    }
  }

  private describe(element: Element, line: string): void {
    this.used++;
    this.described.add(element);
    this.line.addThing(element, line);
  }

  /** The control whose name says what its label says. */
  private controlOf(label: HTMLLabelElement): Entry | false {
    const { control } = label;
    const entry = control && CONTROLS.has(control.localName) && this.entries.get(control);
    if (!entry) return false;
    const { used } = this;
    const text = inOneLine(this.readInside(childNodesOf(label), "shown")).replace(/\[[^[\]]*\]/g, " ");
    this.used = used;
    return covers(entry.item.name ?? entry.item.text ?? "", text, NAME_LENGTH) && entry;
  }

  /** What is inside, with the text that CSS draws before and after it. */
  private *nodesOf(element: Element, mode: Mode): Iterable<Node> {
    if (mode === "shown") this.addDrawn(element, "::before");
    yield* this.options.screen?.among(this.childNodes(element), element) ?? this.childNodes(element);
    if (mode === "shown") this.addDrawn(element, "::after");
  }

  private addDrawn(element: Element, pseudo: Pseudo): void {
    this.line.addText(element, drawnText(this.drawn.of(element, pseudo)));
  }

  /** From where reading starts, and without rows that were counted: of thousands of nodes only those are touched. */
  private *childNodes(element: Element): Iterable<Node> {
    const nodes = childNodesOf(element);
    const parent = element.shadowRoot ?? element;
    if (nodes !== parent.childNodes) {
      for (const node of nodes) {
        if (!this.jump) yield node;
        else if (this.jump === node) this.jump = undefined;
      }
      return;
    }
    let node: Node | null = parent.firstChild;
    if (this.start && this.start !== parent && parent.contains(this.start))
      for (node = this.start; node.parentNode !== parent; ) node = node.parentNode as Node;
    for (; node; node = node.nextSibling) {
      yield node;
      if (!this.jump) continue;
      node = this.jump;
      this.jump = undefined;
    }
  }

  private modeIn(element: Element, mode: Mode, { opacity }: CSSStyleDeclaration): Mode {
    if (opacity === "0") return "unseen";
    const { masker } = this.view;
    if (mode === "unseen" || mode === "private" || masker.nothingMarked) return mode;
    return isMarked(masker, element) ? "private" : mode;
  }

  private describesItself(element: Element): boolean {
    return this.thing(element) !== undefined;
  }

  /** A picture or a frame that is described; `""` for one that says nothing; `undefined` for what is read. */
  private thing(element: Element): string | undefined {
    const { localName } = element;
    if (localName === "img") {
      const alt = element.getAttribute("alt");
      return alt ? `img ${quoted(alt)}` : "";
    }
    if (isFrame(element) && !documentIn(element)?.body) {
      const name = this.view.frameNames.get(element);
      const url = quoted(this.view.masker.url((element as HTMLIFrameElement).src));
      return name ? `frame ${name} ${url}` : `frame ${url} cannot be read`;
    }
    return undefined;
  }

  private landmark(element: Element): string | undefined {
    if (!element.hasAttribute("role") && !SECTIONING.has(element.localName)) return undefined;
    const role = roleOf(element);
    if (!isLandmark(role)) return undefined;
    const label =
      element.getAttribute("aria-label") || element.hasAttribute("aria-labelledby")
        ? nameOf(element, this.view.masker)
        : "";
    if ((role === "region" || role === "form") && label === "") return undefined;
    return `[${role}${label === "" ? "" : ` ${quoted(label)}`}]`;
  }
}

function isRow(element: Element): boolean {
  return element.localName === "tr" || element.getAttribute("role") === "row";
}

/** What stands before the first line of a heading or an announcement. */
function prefixOf(element: Element): string {
  const level = headingLevel(element);
  if (level > 0) return `${"#".repeat(level)} `;
  const role = element.getAttribute("role") ?? (element.localName === "output" ? "status" : "");
  return role === "alert" || role === "status" ? `[${role}] ` : "";
}
