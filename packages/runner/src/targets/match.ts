import type { UiTreeItem } from "@debug-bridge/protocol";
import type { Pattern } from "./patterns.js";

/** A pattern that is compared with the elements of the view. */
export type TextPattern = Extract<Pattern, { kind: "text" | "role" }>;

/** `exact`: the whole name. `words`: some whole words of it, in this order. */
export type Precision = "exact" | "words";

/** What a pattern means on a page. Equal matches are never decided by a guess. */
export type Match =
  | { readonly kind: "one"; readonly item: UiTreeItem; readonly why: string }
  | { readonly kind: "several"; readonly items: readonly UiTreeItem[] }
  | { readonly kind: "none" };

const MAX_CANDIDATES = 5;
/** Words that people leave out or add. */
const SMALL_WORDS: ReadonlySet<string> = new Set(["the", "a", "an"]);

/** Finds the element that a pattern means. Elements that are not displayed do not count. */
export function matchItems(pattern: TextPattern, items: readonly UiTreeItem[], precision: Precision): Match {
  const wanted = pattern.kind === "role" ? pattern.name : pattern.text;
  const shown = items.filter(
    (item) => (isInSight(item) || isCovered(item)) && (pattern.kind === "text" || item.role === pattern.role),
  );
  if (precision === "words") return oneOf(shown, containsWords(wanted), "its name contains the words");
  const same = oneOf(shown, (label) => label === wanted, "the same text");
  return same.kind === "none" ? oneOf(shown, sameWords(wanted), "the same words") : same;
}

/** The texts by which an element is known. */
export function labelsOf({ name, text, meta }: UiTreeItem): string[] {
  return [name, text, meta?.["aria-label"], meta?.placeholder, meta?.name, meta?.value].filter(
    (label): label is string => typeof label === "string" && label.trim() !== "",
  );
}

/** An element in one line, for messages: `button "Save" (e4)`. */
export function titleOf(item: UiTreeItem): string {
  const label = JSON.stringify((labelsOf(item)[0] ?? item.id).slice(0, 80));
  return `${item.role} ${label}${item.ref ? ` (${item.ref})` : ""}`;
}

/** Lower case, without punctuation, extra space and small words. */
function normalise(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const wanted = words.filter((word) => !SMALL_WORDS.has(word));
  return (wanted.length > 0 ? wanted : words).join(" ");
}

function sameWords(wanted: string): (label: string) => boolean {
  const words = normalise(wanted);
  return (label) => words !== "" && normalise(label) === words;
}

function containsWords(wanted: string): (label: string) => boolean {
  const words = normalise(wanted);
  return (label) => words !== "" && ` ${normalise(label)} `.includes(` ${words} `);
}

function oneOf(items: readonly UiTreeItem[], fits: (label: string) => boolean, why: string): Match {
  const found = items.filter((item) => [...labelsOf(item), item.id].some(fits));
  // A label has the name of its control, and a person would use what nothing covers.
  const usable = preferred(
    preferred(found, ({ role }) => role !== "label"),
    (item) => !isCovered(item),
  );
  const [item, ...others] = usable;
  if (!item) return { kind: "none" };
  if (others.length > 0) return { kind: "several", items: usable.slice(0, MAX_CANDIDATES) };
  return { kind: "one", item, why };
}

function preferred(
  items: readonly UiTreeItem[],
  isBetter: (item: UiTreeItem) => boolean,
): readonly UiTreeItem[] {
  const better = items.filter(isBetter);
  return better.length > 0 ? better : items;
}

/** Something lies over it now. It may come out by scrolling; if not, an error is better than another element. */
const isCovered = ({ hiddenBy }: UiTreeItem): boolean => hiddenBy === "occluded" || hiddenBy === "inert";

const isInSight = ({ visible, hiddenBy }: UiTreeItem): boolean =>
  visible !== false && (hiddenBy === undefined || hiddenBy === "off-screen");
