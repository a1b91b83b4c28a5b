/**
 * How alike two short texts are, from 0 to 1, by the pairs of letters that they share. Forgives a wrong letter, a
 * missing word and another order, which is how people and models get names wrong.
 *
 * @example likeness("Sing in", "Sign in") > 0.5 // true
 */
export function likeness(a: string, b: string): number {
  const left = a.toLowerCase().trim();
  const right = b.toLowerCase().trim();
  if (left === "" || right === "") return 0;
  if (left === right) return 1;
  const contained = left.includes(right) || right.includes(left) ? 0.6 : 0;
  const pairs = pairsOf(left);
  let shared = 0;
  const rest = new Map(pairsOf(right));
  for (const [pair, count] of pairs) shared += Math.min(count, rest.get(pair) ?? 0);
  const total = left.length - 1 + (right.length - 1);
  return Math.max(contained, total > 0 ? (2 * shared) / total : 0);
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < text.length; i++) {
    const pair = text.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** The best matches first, none that has nothing in common. */
export function nearest<Item>(
  wanted: string,
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
  most: number,
): Item[] {
  return items
    .map((item) => ({ item, score: Math.max(0, ...textsOf(item).map((text) => likeness(wanted, text))) }))
    .filter(({ score }) => score >= 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ item }) => item);
}
