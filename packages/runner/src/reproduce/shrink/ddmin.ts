/** What a trial of some of the items said: which of them still fail, or that they do not. */
type Verdict<Item> = readonly Item[] | undefined;

export interface ShrinkOptions<Item> {
  /** Tries these items. The answer may have fewer: some could not be tried, or were not needed. */
  test(items: readonly Item[]): Promise<Verdict<Item>>;
  keyOf(item: Item): number | string;
  /** How many trials run at a time. */
  readonly jobs: number;
  /** Ends the search: what was found until then is returned. */
  isOver?(): boolean;
}

/** How many items are expected to be needed. A wrong guess costs some trials and changes nothing else. */
const EXPECTED = 3;

/**
 * The fewest items that still fail, by probabilistic delta debugging: each item has a probability of being needed, and those are left
 * out together that promise the most. What cannot be left out becomes more probable. With few needed items among many, that takes far
 * fewer trials than halving everything (ddmin). At the end no single item can be left out, unless time was over. What was tried
 * once is not tried again.
 *
 * @example await ddmin([1, 2, 3, 4], { test: async (items) => (items.includes(3) ? items : undefined), … }) // [3]
 */
export async function ddmin<Item>(
  all: readonly Item[],
  options: ShrinkOptions<Item>,
): Promise<readonly Item[]> {
  const known = new Map<string, Promise<Verdict<Item>>>();
  const isOver = (): boolean => options.isOver?.() === true;
  const without = (left: ReadonlySet<Item>): Promise<Verdict<Item>> => {
    const rest = items.filter((item) => !left.has(item));
    const key = rest.map(options.keyOf).join();
    const verdict = known.get(key) ?? options.test(rest);
    known.set(key, verdict);
    return verdict;
  };
  let items = all;
  const needed = new Map<Item, number>(all.map((item) => [item, Math.min(0.5, EXPECTED / all.length)]));
  const chanceOf = (item: Item): number => needed.get(item) ?? 1;
  const keep = (smaller: readonly Item[]): void => {
    items = smaller;
  };
  for (;;) {
    const open = items.filter((item) => chanceOf(item) < 1);
    if (open.length === 0 || isOver()) return items;
    const chunks = promising(open, chanceOf, options.jobs);
    const verdicts = await Promise.all(chunks.map(without));
    chunks.forEach((chunk, i) => {
      if (!verdicts[i]) updateProbabilities(chunk, needed);
    });
    const smaller = verdicts.filter((verdict) => verdict !== undefined);
    const [best] = smaller.sort((a, b) => a.length - b.length);
    if (!best) continue;
    // Each part could be left out; mostly they can be left out together.
    const both = smaller.length > 1 ? await without(new Set(removed(items, smaller))) : undefined;
    keep(both ?? best);
  }
}

/** What is missing in at least one of the lists. */
function removed<Item>(items: readonly Item[], lists: readonly (readonly Item[])[]): Item[] {
  return items.filter((item) => lists.some((list) => !list.includes(item)));
}

/** Disjoint sets of items, each with the greatest expected number of items that are left out at once. */
function promising<Item>(open: readonly Item[], chanceOf: (item: Item) => number, jobs: number): Set<Item>[] {
  let rest = [...open].sort((a, b) => chanceOf(a) - chanceOf(b));
  const chunks: Set<Item>[] = [];
  while (chunks.length < jobs && rest.length > 0) {
    let size = 1;
    let best = 0;
    let none = 1;
    rest.forEach((item, i) => {
      none *= 1 - chanceOf(item);
      if ((i + 1) * none > best) {
        best = (i + 1) * none;
        size = i + 1;
      }
    });
    chunks.push(new Set(rest.slice(0, size)));
    rest = rest.slice(size);
  }
  return chunks;
}

/** At least one of these is needed: by Bayes, each of them is so with a greater probability than before. */
function updateProbabilities<Item>(chunk: ReadonlySet<Item>, needed: Map<Item, number>): void {
  let none = 1;
  for (const item of chunk) none *= 1 - (needed.get(item) ?? 1);
  for (const item of chunk) {
    const chance = (needed.get(item) ?? 1) / (1 - none);
    needed.set(item, chunk.size === 1 ? 1 : Math.min(0.99, chance));
  }
}
