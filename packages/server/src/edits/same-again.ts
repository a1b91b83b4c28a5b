import type { Receipt } from "@debug-bridge/protocol";

type Line = NonNullable<Receipt["appeared"]>[number];
type Change = NonNullable<Receipt["changed"]>[number];

/** An element under a name that it has now, or that it had. */
interface Named {
  readonly line: Line;
  /** Set when the element is still there, under another name. */
  readonly change?: Change;
}

/** Lists of a receipt end here: what else came or went is not known. */
const MAX_ENTRIES = 50;

/**
 * Frameworks create elements again when their code is updated, or give each element the name of its neighbour when one is put between
 * them. To a reader these are the same elements as before. What stays in the receipt are those whose role and name came or went.
 */
export function withoutSameAgain(receipt: Receipt): {
  readonly receipt: Receipt;
  readonly recreated: number;
} {
  const { appeared = [], vanished = [], changed = [], omitted = 0, ...rest } = receipt;
  const renames = changed.filter(({ field }) => field === "name");
  const came = [
    ...appeared.map((line): Named => ({ line })),
    ...renames.map((change): Named => ({ line: named(change, change.after), change })),
  ];
  const went = [
    ...vanished.map((line): Named => ({ line })),
    ...renames.map((change): Named => ({ line: named(change, change.before), change })),
  ];
  const pairs = pairsOf(came, went);
  if (pairs.size === 0) return { receipt, recreated: 0 };
  const matched = new Set(pairs.values());
  const isCut = [appeared, vanished, changed].some(({ length }) => length >= MAX_ENTRIES);
  const left = [came.filter((each) => !pairs.has(each)), went.filter((each) => !matched.has(each))] as const;
  const lists = isCut ? { changed: [] } : listsOf(left[0], left[1], vanished);
  const renamed = new Set(renames.map(({ ref }) => ref));
  // The text of an element that was renamed is its name.
  const others = changed.filter(
    ({ field, ref }) => field !== "name" && !(field === "text" && renamed.has(ref)),
  );
  const unknown = omitted + (isCut ? left[0].length + left[1].length : 0);
  const all = { ...lists, changed: [...lists.changed, ...others] };
  return {
    receipt: {
      ...rest,
      ...Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0)),
      ...(unknown > 0 ? { omitted: unknown } : {}),
    },
    recreated: [...pairs].filter(([now, then]) => !now.change && !then.change).length,
  };
}

const named = ({ ref, role }: Change, name: string): Line => ({ ref, role, name });

/** What is in both lists, each as often as it is in the other. */
function pairsOf(came: readonly Named[], went: readonly Named[]): Map<Named, Named> {
  const keyOf = ({ line: { role, name } }: Named): string => `${role}\n${name}`;
  const waiting = new Map<string, Named[]>();
  for (const each of went) waiting.set(keyOf(each), [...(waiting.get(keyOf(each)) ?? []), each]);
  const pairs = new Map<Named, Named>();
  for (const each of came) {
    const other = waiting.get(keyOf(each))?.shift();
    if (other) pairs.set(each, other);
  }
  return pairs;
}

/** Lists of what came and went. Its names may be those of elements that are still there under another name. */
function listsOf(
  came: readonly Named[],
  went: readonly Named[],
  vanished: readonly Line[],
): { readonly appeared: Line[]; readonly vanished: Line[]; readonly changed: Change[] } {
  const kept = came.flatMap(({ change }) =>
    change && went.some((each) => each.change === change) ? [change] : [],
  );
  const isOther = ({ change }: Named): boolean => change === undefined || !kept.includes(change);
  const added = came.filter(isOther).map(({ line }) => line);
  const removed = went.filter(isOther).map(({ line }) => line);
  // As many elements vanished as before, so that only so many names can have; the others belong to elements that are still there.
  const gone = removed.slice(0, vanished.length);
  const swapped = removed.slice(vanished.length);
  const isGone = new Set(vanished.map(({ ref }) => ref));
  const freeRefs = vanished.filter(({ ref }) => !gone.some((line) => line.ref === ref));
  return {
    appeared: added.slice(swapped.length),
    vanished: gone.map((line) =>
      isGone.has(line.ref) ? line : { ...line, ref: (freeRefs.shift() ?? line).ref },
    ),
    changed: [
      ...kept,
      ...added.slice(0, swapped.length).map((line, i) => ({
        ...{ ...line, field: "name", before: (swapped[i] ?? line).name, after: line.name },
      })),
    ],
  };
}
