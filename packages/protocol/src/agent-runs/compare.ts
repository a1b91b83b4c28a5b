/** One line of a comparison: in both, only in the first, or only in the second. */
export type Difference<Item> =
  | { readonly in: "both"; readonly first: Item; readonly second: Item }
  | { readonly in: "first"; readonly first: Item }
  | { readonly in: "second"; readonly second: Item };

/** Above this many pairs the middle is not aligned: all of the one comes before all of the other. */
const MAX_PAIRS = 4_000_000;

/** Compares two lists by a key, so that as much as possible is in both. */
export function compare<Item extends { readonly key: string }>(
  first: readonly Item[],
  second: readonly Item[],
): Difference<Item>[] {
  let start = 0;
  while (start < first.length && first[start]?.key === second[start]?.key) start++;
  let end = 0;
  const most = Math.min(first.length, second.length) - start;
  while (end < most && first.at(-1 - end)?.key === second.at(-1 - end)?.key) end++;
  const both = (a: Item, i: number, shift: number): Difference<Item> => ({
    in: "both",
    first: a,
    second: second[i + shift] as Item,
  });
  return [
    ...first.slice(0, start).map((item, i) => both(item, i, 0)),
    ...align(first.slice(start, first.length - end), second.slice(start, second.length - end)),
    ...first.slice(first.length - end).map((item, i) => both(item, i, second.length - end)),
  ];
}

/** The longest common part of two lists, and what is beside it. */
function align<Item extends { readonly key: string }>(
  a: readonly Item[],
  b: readonly Item[],
): Difference<Item>[] {
  const onlyFirst = (first: Item): Difference<Item> => ({ in: "first", first });
  const onlySecond = (second: Item): Difference<Item> => ({ in: "second", second });
  if (a.length * b.length > MAX_PAIRS) return [...a.map(onlyFirst), ...b.map(onlySecond)];
  const width = b.length + 1;
  // How long the common part of the rests of both is, for every pair of places.
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i]?.key === b[j]?.key ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: Difference<Item>[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const [first, second] = [a[i] as Item, b[j] as Item];
    if (first.key === second.key) {
      found.push({ in: "both", first, second });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      found.push(onlyFirst(first));
      i++;
    } else {
      found.push(onlySecond(second));
      j++;
    }
  }
  return [...found, ...a.slice(i).map(onlyFirst), ...b.slice(j).map(onlySecond)];
}
