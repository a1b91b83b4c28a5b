import { BridgeError, estimateTokens, type UiTreeItem } from "@debug-bridge/protocol";
import type { SourceOf } from "../../source/frameworks/page-world.js";
import { isElement } from "../elements/dom.js";
import { roleOf } from "../elements/roles.js";
import { allLines, type TextBlock } from "../text/outline/fold.js";
import { itemLine } from "../text/outline/item-line.js";
import { outline } from "../text/outline/outline.js";
import type { Entry } from "../tree/ui-tree.js";
import type { PageView } from "../view.js";
import { Columns } from "./columns.js";
import { fits, textMatcher, type Wanted } from "./wanted.js";

/** A part of the page that holds a match: a row, a card, or the line alone. It is shown whole or not at all. */
export interface Part {
  readonly element: object;
  readonly lines: readonly string[];
  /** Where it is: its dialog or region, its section, the columns of its table. */
  readonly context: string;
  readonly matches: UiTreeItem[];
}

const ROW = "li,tr,article,[role=row],[role=listitem],[role=option],[role=treeitem],[role=article]";
/** What holds rows, cards and controls that have nothing to do with each other. */
const GROUP = "body,main,section,form,fieldset,nav,aside,header,footer,table,ul,ol,dl";
/** Headings of this level and deeper are those of a card as often as of a section. */
const CARD_LEVEL = 3;
/** A part of the page that is larger is not shown for the sake of a match in it. */
const MAX_PART_TOKENS = 120;
/** A usable element in a line, by its ref and role. */
const THING = /(?<=^|\[)((?:f\d+)?e\d+) [\w-]+/gm;
/** A line that is nothing but a control, which does not say what it belongs to. */
const CONTROL_ALONE = /^(?:f\d+)?e\d+ (?!link )/;

/** Everything on the page that matches, in reading order, including what an observation folds. */
export function search(view: PageView, from: Element, wanted: Wanted, sourceOf: SourceOf): Part[] {
  const { entries } = view.tree;
  if (typeof wanted.source === "string" && !entries.some(({ element }) => sourceOf(element)))
    throw new BridgeError(
      "not_supported",
      "this page does not say which source its elements come from; search by text, role or name",
    );
  if (wanted.state === "hidden") return hiddenParts(entries, wanted, sourceOf);
  const searcher = new Searcher(view, wanted, sourceOf);
  searcher.visit(outline(view, from).block, []);
  return [...searcher.parts.values()];
}

class Searcher {
  readonly parts = new Map<TextBlock, Part>();
  private readonly byRef: ReadonlyMap<string | undefined, Entry>;
  private readonly says: (candidate: string) => boolean;
  private readonly wantsElement: boolean;
  private readonly columns: Columns;
  private readonly tokens = new Map<TextBlock, number>();
  /** The headings above the place where the search is, by level. */
  private headings: (string | undefined)[] = [];

  constructor(
    private readonly view: PageView,
    private readonly wanted: Wanted,
    private readonly sourceOf: SourceOf,
  ) {
    this.byRef = new Map(view.tree.entries.map((entry) => [entry.item.ref, entry]));
    this.says = textMatcher(wanted);
    const { role, name, state, source } = wanted;
    this.wantsElement = (role ?? name ?? state) !== undefined || typeof source === "string";
    this.columns = new Columns(view.masker);
  }

  visit(block: TextBlock, around: readonly TextBlock[]): void {
    const { line, children } = block;
    const { headings } = this;
    if (line !== undefined) this.match(block, line, around);
    const level = levelOf(line ?? "");
    if (level > 0) {
      this.headings = headings.slice(0, level);
      this.headings[level] = line;
    }
    for (const child of children) this.visit(child, [block, ...around]);
    // What comes after a dialog or a region is not under its headings, nor what comes after a card.
    if (line?.startsWith("[")) this.headings = headings;
    else if (level === 0 && children.length > 0)
      this.headings = [...this.headings.slice(0, CARD_LEVEL), ...headings.slice(CARD_LEVEL)];
  }

  private match(block: TextBlock, line: string, around: readonly TextBlock[]): void {
    const found = this.wantsElement ? this.elementsIn(block, line) : [];
    if (this.wantsElement ? found.length === 0 : !this.says(saidIn(line))) return;
    const part = this.partAround(block, around);
    const whole = allLines(part).map(({ text }) => text);
    if (this.wantsElement && !this.says(saidIn(whole.join("\n")))) return;
    const lines = this.tokensOf(part) > MAX_PART_TOKENS ? [line] : whole;
    const matches = this.saying(this.wantsElement ? found : this.usableIn(lines));
    const known = this.parts.get(part);
    if (known) {
      known.matches.push(...matches.filter((each) => !known.matches.includes(each)));
      return;
    }
    // A heading or a row has no ref of its own in its line.
    const unnamed = found.find(({ ref }) => !this.byRef.has(ref));
    if (unnamed) lines[0] = `${unnamed.ref} ${lines[0]}`;
    this.parts.set(part, { element: part.element, lines, context: this.contextOf(part, around), matches });
  }

  /** The elements of a line that are wanted: those that can be used, or the one that the line is about. */
  private elementsIn({ element }: TextBlock, line: string): UiTreeItem[] {
    const found = [...line.matchAll(THING)].flatMap(([, ref]) => {
      const entry = this.byRef.get(ref);
      return entry && fits(entry.element, entry.item, this.wanted, this.sourceOf) ? entry.item : [];
    });
    const { role } = this.wanted;
    if (found.length > 0 || !isElement(element) || (role !== undefined && roleOf(element) !== role))
      return found;
    const item = this.view.itemOf(element);
    return fits(element, item, this.wanted, this.sourceOf) ? [item] : found;
  }

  private usableIn(lines: readonly string[]): UiTreeItem[] {
    return lines.flatMap((line) =>
      [...line.matchAll(THING)].flatMap(([, ref]) => this.byRef.get(ref)?.item ?? []),
    );
  }

  /** Those that say themselves what is searched for; all of them when it is only beside them. */
  private saying(items: UiTreeItem[]): UiTreeItem[] {
    const saying = items.filter(({ name, text, meta }) =>
      this.says(`${name ?? ""} ${text ?? ""} ${meta?.value ?? ""}`),
    );
    return saying.length > 0 ? saying : items;
  }

  /** The row that a line is in; else the smallest part around it that has both text and something to use. */
  private partAround(block: TextBlock, around: readonly TextBlock[]): TextBlock {
    for (const outer of [block, ...around.slice(0, -1)]) {
      const { element } = outer;
      if (this.tokensOf(outer) > MAX_PART_TOKENS) break;
      if (/^\[\w*dialog/.test(outer.line ?? "")) return outer;
      if (outer !== block && (outer.line?.startsWith("[") || (isElement(element) && element.matches(GROUP))))
        break;
      if (isElement(element) && element.matches(ROW)) return outer;
      const lines = allLines(outer).map(({ text }) => text);
      if (lines.some((line) => line.search(THING) >= 0) && !lines.every((line) => CONTROL_ALONE.test(line)))
        return outer;
    }
    return block;
  }

  private tokensOf(block: TextBlock): number {
    let tokens = this.tokens.get(block);
    if (tokens === undefined) {
      const { line, children } = block;
      tokens = line === undefined ? 0 : estimateTokens(line) + 1;
      for (const child of children) tokens += this.tokensOf(child);
      this.tokens.set(block, tokens);
    }
    return tokens;
  }

  private contextOf(part: TextBlock, around: readonly TextBlock[]): string {
    const outer = around
      .slice(around.indexOf(part) + 1)
      .flatMap(({ line }) => (line && / |dialog/.test(line) ? line : []));
    // Not the heading of the part itself.
    const own = allLines(part).map(({ text }) => levelOf(text) || Number.POSITIVE_INFINITY);
    const heading = this.headings.slice(0, Math.min(...own)).findLast(Boolean);
    return [
      ...outer.reverse(),
      ...(heading && !outer.includes(heading) ? [heading] : []),
      this.columns.of(part.element),
    ]
      .filter(Boolean)
      .join(" > ");
  }
}

/** The level of a heading's line, 0 for any other. */
function levelOf(line: string): number {
  return /^#{1,6}(?= )/.exec(line)?.[0].length ?? 0;
}

/** What a line says, without refs and roles. */
function saidIn(line: string): string {
  return line.replace(THING, "");
}

function hiddenParts(entries: readonly Entry[], wanted: Wanted, sourceOf: SourceOf): Part[] {
  const says = textMatcher(wanted);
  return entries
    .filter(
      ({ element, item, name }) =>
        fits(element, item, wanted, sourceOf) && says(`${name} ${item.text ?? ""}`),
    )
    .map(({ element, item }) => ({
      element,
      lines: [`${itemLine({ ...item, hiddenBy: undefined })} ${item.hiddenBy ?? ""}`],
      context: item.section ? `# ${item.section}` : "",
      matches: [item],
    }));
}
