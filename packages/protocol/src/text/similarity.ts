/**
 * How alike two short texts are, from 0 to 1, by the letters and pairs of letters that they share. Forgives a wrong letter, a
 * missing word and another order, which is how people and models get names wrong.
 *
 * @example similarity("Sing in", "Sign in") > 0.5 // true
 */
export function similarity(a: string, b: string): number {
  const left = a.toLowerCase().trim();
  const right = b.toLowerCase().trim();
  if (left === "" || right === "") return 0;
  if (left === right) return 1;
  const contained = left.includes(right) || right.includes(left) ? 0.6 : 0;
  const pairs = overlap(partsOf(left, 2), partsOf(right, 2));
  const letters = overlap(partsOf(left, 1), partsOf(right, 1));
  return Math.max(contained, 0.7 * pairs + 0.3 * letters);
}

/** Every run of `length` letters, with how often it comes. */
function partsOf(text: string, length: number): Map<string, number> {
  const parts = new Map<string, number>();
  for (let i = 0; i + length <= text.length; i++) {
    const part = text.slice(i, i + length);
    parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  return parts;
}

/** How much of both is in both, from 0 to 1. */
function overlap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let total = 0;
  for (const [part, count] of a) {
    shared += Math.min(count, b.get(part) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}

/** The best matches first; texts with nothing in common are left out. */
export function nearest<Item>(
  wanted: string,
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
  most: number,
): Item[] {
  return items
    .map((item) => ({ item, score: Math.max(0, ...textsOf(item).map((text) => similarity(wanted, text))) }))
    .filter(({ score }) => score >= 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ item }) => item);
}
