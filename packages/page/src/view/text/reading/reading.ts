import { truncate } from "@debug-bridge/protocol";
import { platform } from "../../../inert/platform.js";
import { holdsPrivate } from "../../../privacy/private-elements.js";
import { squash } from "../../elements/dom.js";
import type { PageView } from "../../view.js";
import { quoted } from "../outline/item-line.js";
import { type Outline, outline } from "../outline/outline.js";
import { innerTextOf } from "./inner-text.js";
import { type LineChanges, lineChanges } from "./line-changes.js";
import { type LookChanges, Looks } from "./looks.js";
import { screenOf } from "./screen.js";
import { selectionLine } from "./selection.js";

/** Pages with more elements are read only where they are on the screen, so that an action does not wait for it. */
const MAX_WHOLE = 400;
/** Up to so many, the browser's own text of the page shows what changed elsewhere. */
const MAX_PLAIN = 20_000;
const MAX_LOOKS = 10;
/** Longer lines are compared by sentence. */
const LONG_LINE = 200;

/** What can be read and seen at one moment, apart from elements that can be used: those are in the UI tree. */
export interface Reading {
  readonly lines: readonly string[];
  readonly looks: Looks;
  readonly at: number;
  /** The whole page; `undefined` when only the screen was read. */
  readonly whole: Outline | undefined;
  /** Every line that was read, including those of what can be used. */
  readonly texts: readonly string[];
  /** All text, when only the screen was read. Private parts are not masked in it. */
  readonly plain: string | undefined;
  /** What is selected, as a line. */
  readonly selected: string;
}

/** Reads the page, or what is on the screen, without its looks if nobody compares them. The tree must be up to date. */
export function readPage(view: PageView, withLooks = true): Reading {
  const { page } = view;
  const at = platform.now();
  const size = page.getElementsByTagName("*").length;
  const isSmall = size <= MAX_WHOLE;
  const top = page.body ?? page.documentElement;
  const { read, looks } = confirmed(view, (seen) => {
    const looks = new Looks();
    const screen = isSmall ? undefined : screenOf(page);
    return { looks, read: outline(view, top, { screen, looks: withLooks ? looks : undefined, seen }) };
  });
  const plain = isSmall || size > MAX_PLAIN ? undefined : innerTextOf(page.body);
  const selected = selectionLine(view);
  return { ...linesOf(read.block), looks, at, whole: isSmall ? read : undefined, plain, selected };
}

/** Reads something, and reads it again when elements in it turn out to be usable, or not, since the tree was made. */
export function confirmed<Read>(view: PageView, read: (seen: Element[]) => Read): Read {
  const seen: Element[] = [];
  const result = read(seen);
  if (view.tree.confirm(seen)) return result;
  view.tree.refresh();
  return read([]);
}

/** All lines, and those of text: without those that only describe an element that can be used. */
function linesOf(block: Outline["block"]): Pick<Reading, "texts" | "lines"> {
  const texts: string[] = [];
  const lines: string[] = [];
  const visit = ({ line, isUsable, children }: Outline["block"]): void => {
    if (line !== undefined) texts.push(line);
    if (line !== undefined && !isUsable) {
      const text = line.replace(/\[(?:f\d+)?e\d+ \S+ ("[^"]*")[^[\]]*\]/g, "[$1]");
      lines.push(...(text.length > LONG_LINE ? text.split(/(?<=[.!?]) /) : [text]));
    }
    for (const child of children) visit(child);
  };
  visit(block);
  return { texts, lines };
}

export interface ReadingChanges {
  readonly text: LineChanges & { readonly passing: string[] };
  /** Elements that look different, one on a line. */
  readonly looks: string[];
}

/** How a page differs from before. That something moved is said only when no other difference is known. */
export function readingChanges(
  view: PageView,
  before: Reading,
  after: Reading,
  isKnown: boolean,
): ReadingChanges {
  const text = textChanges(view, before, after);
  const changes = after.looks.since(before.looks);
  const looks = lookLines(view, changes, isKnown || text.added.length + text.removed.length > 0);
  if (before.selected !== after.selected) looks.push(after.selected || "nothing is selected now");
  return { text, looks };
}

function textChanges(view: PageView, before: Reading, after: Reading): ReadingChanges["text"] {
  const { added, removed } = lineChanges(before.lines, after.lines);
  const elsewhere = plainChanges(view, before, after);
  added.push(...without(elsewhere.added, after));
  removed.push(...without(elsewhere.removed, before));
  const passing = view.passing.since(before.at).filter((line) => !isIn(line, before) && !isIn(line, after));
  return { added, removed, passing };
}

/** Whether a page reads the same as before, whatever it looks like. */
export function readsTheSame(view: PageView, before: Reading, after: Reading): boolean {
  const { added, removed, passing } = textChanges(view, before, after);
  return added.length + removed.length + passing.length === 0 && before.selected === after.selected;
}

const wordsOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");

/** Those lines that were not read on the screen. */
function without(lines: readonly string[], { texts }: Reading): string[] {
  if (lines.length === 0) return [];
  const words = texts.map(wordsOf).join(" ");
  return lines.filter((line) => !words.includes(wordsOf(line)));
}

/** Whether a line was read, by itself or in a longer one; also when something in it can be used. */
function isIn(text: string, { lines, texts }: Reading): boolean {
  const words = wordsOf(text);
  const has = (line: string): boolean =>
    line.includes(text) || (words !== "" && wordsOf(line).includes(words));
  return lines.some(has) || texts.some(has);
}

/** What changed outside of the screen, as far as it may be shown. */
function plainChanges(view: PageView, { plain: was }: Reading, { plain: now }: Reading): LineChanges {
  if (was === undefined || now === undefined || was === now) return { added: [], removed: [] };
  const { masker, page } = view;
  if (holdsPrivate(masker, page)) return { added: ["(text outside of the screen changed)"], removed: [] };
  const linesIn = (text: string): string[] =>
    text.split("\n").flatMap((line) => (squash(line) === "" ? [] : [masker.url(squash(line))]));
  // Only from the first line that differs to the last.
  let start = 0;
  while (was[start] === now[start]) start++;
  start = was.lastIndexOf("\n", start - 1) + 1;
  let end = 0;
  const most = Math.min(was.length, now.length) - start;
  while (end < most && was[was.length - 1 - end] === now[now.length - 1 - end]) end++;
  const middle = (text: string): string => text.slice(start, text.indexOf("\n", text.length - end) >>> 0);
  return lineChanges(linesIn(middle(was)), linesIn(middle(now)));
}

/** Whether the text of the whole page was compared. */
export function isComplete({ whole, plain }: Reading): boolean {
  return whole !== undefined || plain !== undefined;
}

function lookLines(
  view: PageView,
  { restyled, came, went, countMoved }: LookChanges,
  isKnown: boolean,
): string[] {
  const nameOf = (element: Element): string => {
    const { ref, role, name, text = "" } = view.itemOf(element);
    return `${ref} ${role}${(name ?? text) ? ` ${quoted(name ?? text, 40)}` : ""}`;
  };
  const pictures = came.filter((element) => element.textContent?.trim() === "");
  const lines = [
    ...restyled.map(
      ({ element, names }) =>
        () =>
          `${nameOf(element)}: ${names.join(", ")}`,
    ),
    ...pictures.map((element) => () => `${nameOf(element)}: on the screen now`),
  ];
  const shown = lines.slice(0, MAX_LOOKS).map((line) => truncate(line(), 200));
  if (lines.length > MAX_LOOKS) shown.push(`${lines.length - MAX_LOOKS} more look different`);
  if (shown.length > 0 || isKnown) return shown;
  const others = countMoved() + came.length - pictures.length + went.length;
  if (others > 0) shown.push(`${others} ${others === 1 ? "element" : "elements"} moved, came or went`);
  return shown;
}
