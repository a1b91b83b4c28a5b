/** Lines that came and lines that went. */
export interface LineChanges {
  readonly added: string[];
  readonly removed: string[];
}

/**
 * How two texts differ, line by line. Lines that only changed places are in both lists, if nothing else is in either.
 *
 * @example lineChanges(["Total: 0", "Pay"], ["Total: 10", "Pay"]) // { added: ["Total: 10"], removed: ["Total: 0"] }
 */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChanges {
  const added = without(after, before);
  const removed = without(before, after);
  if (added.length + removed.length > 0) return { added, removed };
  const [start, end] = [
    before.findIndex((line, i) => line !== after[i]),
    before.findLastIndex((line, i) => line !== after[i]),
  ];
  return start < 0
    ? { added, removed }
    : { added: after.slice(start, end + 1), removed: before.slice(start, end + 1) };
}

/** The lines that others do not have as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    return left === 0;
  });
}
