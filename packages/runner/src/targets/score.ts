import type { UiTreeItem } from "@debug-bridge/protocol";
import { similarity } from "../instruction/nearest.js";
import type { Pattern } from "./patterns.js";

/** How well an element fits a pattern, and why. */
export interface Scored {
  readonly item: UiTreeItem;
  /** From 0 to 1. */
  readonly score: number;
  readonly why: string;
}

/** Below this an element does not fit. */
const LEAST_SCORE = 0.6;
/** The best must be better than the next by this, or both may be meant. */
const LEAST_LEAD = 0.05;
const MOST_SHOWN = 5;

const labels = ({ name, text, meta }: UiTreeItem): string[] =>
  [name, text, meta?.["aria-label"], meta?.placeholder, meta?.name, meta?.value].filter(
    (label): label is string => typeof label === "string" && label.trim() !== "",
  );

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** What an element is called, for messages. */
export function titleOf(item: UiTreeItem): string {
  return `${item.role} ${JSON.stringify((labels(item)[0] ?? item.id).slice(0, 80))}${item.ref ? ` (${item.ref})` : ""}`;
}

/** Something lies over it now. It may come out by scrolling; if not, to say so is better than to take the next best. */
const isCovered = ({ hiddenBy }: UiTreeItem): boolean => hiddenBy === "occluded" || hiddenBy === "inert";

const isInSight = ({ visible, hiddenBy }: UiTreeItem): boolean =>
  visible !== false && (hiddenBy === undefined || hiddenBy === "off-screen");

/** Elements that fit, the best first. What is not displayed does not count. */
export function rank(
  pattern: Extract<Pattern, { kind: "text" | "role" }>,
  items: readonly UiTreeItem[],
): Scored[] {
  const wanted = pattern.kind === "role" ? pattern.name : pattern.text;
  return items
    .filter((item) => isInSight(item) || isCovered(item))
    .map((item) => {
      const { score, why } = scoreText(wanted, item);
      const factor = pattern.kind === "role" && item.role !== pattern.role ? 0.7 : 1;
      // A label stands for its control, which has the same name.
      const usable = item.role === "label" || isCovered(item) ? 0.9 : item.disabled ? 0.98 : 1;
      return {
        item,
        score: score * factor * usable,
        why: factor < 1 ? `${why}, but it is a ${item.role}` : why,
      };
    })
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score);
}

function scoreText(wanted: string, item: UiTreeItem): { score: number; why: string } {
  const own = [...labels(item), item.id];
  let best = { score: 0, why: "nothing in common" };
  for (const label of own) {
    const found = scoreLabel(wanted, label);
    if (found.score > best.score) best = found;
  }
  return best;
}

function scoreLabel(wanted: string, label: string): { score: number; why: string } {
  if (wanted === label) return { score: 1, why: "the same text" };
  const [a, b] = [plain(wanted), plain(label)];
  if (a === "" || b === "") return { score: 0, why: "nothing in common" };
  if (a === b) return { score: 0.97, why: "the same words" };
  if (` ${b} `.includes(` ${a} `))
    return { score: 0.72 + 0.2 * (a.length / b.length), why: "its text contains the words" };
  if (` ${a} `.includes(` ${b} `))
    return { score: 0.45 + 0.5 * (b.length / a.length), why: "the words contain its text" };
  const letters = similarity(a, b);
  if (letters >= 0.7) return { score: letters * 0.9, why: "its text is spelt like it" };
  const words = new Set(b.split(" "));
  const asked = a.split(" ");
  const shared = asked.filter((word) => words.has(word)).length / Math.max(asked.length, words.size);
  return { score: shared * 0.8, why: "it shares words" };
}

/** The one element that a pattern means; `others` when several fit equally. */
export type Choice =
  | { readonly kind: "one"; readonly best: Scored; readonly others: readonly Scored[] }
  | { readonly kind: "several"; readonly others: readonly Scored[] }
  | { readonly kind: "none" };

/** Chooses, or says that it cannot: two that fit equally are never decided by guess. */
export function choose(ranked: readonly Scored[]): Choice {
  const [best, next] = ranked;
  if (!best) return { kind: "none" };
  const others = ranked.slice(0, MOST_SHOWN);
  if (next && best.score - next.score < LEAST_LEAD && !(best.score === 1 && next.score < 0.98)) {
    return {
      kind: "several",
      others: ranked.filter(({ score }) => best.score - score < LEAST_LEAD).slice(0, MOST_SHOWN),
    };
  }
  return { kind: "one", best, others: others.slice(1) };
}
