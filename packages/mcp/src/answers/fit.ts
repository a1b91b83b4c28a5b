import { DEFAULT_MAX_TOKENS, estimateTokens } from "@debug-bridge/protocol";

/** No text has more characters per token than this, so longer ones need not be counted. */
const MAX_CHARACTERS_PER_TOKEN = 8;
/** Tokens that a fence and a note around the text cost. */
export const FRAME_TOKENS = 60;

/** As much of the start of a text as the budget allows, and a line that reports what is missing. */
export function fitStart(text: string, maxTokens = DEFAULT_MAX_TOKENS, advice = "ask for less"): string {
  const bounded = text.slice(0, maxTokens * MAX_CHARACTERS_PER_TOKEN);
  if (bounded.length === text.length && estimateTokens(text) <= maxTokens) return text;
  let low = 0;
  let high = bounded.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(bounded.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  const shown = bounded.slice(0, low).replace(/[\ud800-\udbff]$/, "");
  return `${shown}\n[${text.length - shown.length} more characters are left out; ${advice}]`;
}

/** The first lines that the budget allows, and `note` if some are missing. */
export function fitLines(lines: readonly string[], maxTokens: number, note: string): string[] {
  let room = maxTokens;
  let shown = 0;
  for (const line of lines) {
    room -= estimateTokens(line) + 1;
    if (room < (shown + 1 < lines.length ? estimateTokens(note) : 0)) break;
    shown++;
  }
  return shown === lines.length ? [...lines] : [...lines.slice(0, shown), note];
}

/** The last lines that the budget allows: the newest lines of a log matter most. */
export function fitEnd(
  lines: readonly string[],
  maxTokens = DEFAULT_MAX_TOKENS,
): { lines: string[]; left: number } {
  let room = maxTokens;
  let first = lines.length;
  while (first > 0) {
    room -= estimateTokens(lines[first - 1] as string) + 1;
    if (room < 0) break;
    first--;
  }
  // At least one line is shown, cut if necessary.
  if (first === lines.length && first > 0)
    return { lines: [fitStart(lines[first - 1] as string, maxTokens)], left: first - 1 };
  return { lines: lines.slice(first), left: first };
}

/** The most important entries that the budget allows, newest first among equals; in their original order. */
export function fitByWeight(
  entries: readonly { readonly text: string; readonly weight: number }[],
  maxTokens: number,
): { lines: string[]; left: number } {
  const order = entries.map((entry, index) => ({ ...entry, index }));
  order.sort((a, b) => b.weight - a.weight || b.index - a.index);
  const kept = new Set<number>();
  let room = maxTokens;
  for (const { text, index } of order) {
    room -= estimateTokens(text) + 1;
    if (room < 0) break;
    kept.add(index);
  }
  const lines = entries.filter((_, index) => kept.has(index)).map(({ text }) => text);
  return { lines, left: entries.length - lines.length };
}
