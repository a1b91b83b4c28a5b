/** How many letters must change to make one word of another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    row = next;
  }
  return row[b.length] as number;
}

/** From 0 (nothing in common) to 1 (equal), by letters. Both are cut, so that long texts stay cheap. */
export function similarity(a: string, b: string): number {
  const [x, y] = [a.slice(0, 200), b.slice(0, 200)];
  const longest = Math.max(x.length, y.length);
  return longest === 0 ? 1 : 1 - distance(x, y) / longest;
}

/** The known word that was probably meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, score: similarity(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => b.score - a.score);
  return best && best.score >= 0.5 ? best.candidate : undefined;
}
