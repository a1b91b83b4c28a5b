/**
 * Prints one figure. `limit` is what it must not pass: the most, or with `atLeast` the least. With `atLeast` and without a limit, more
 * is better. `platform` is what the platform alone costs in the same run, without anything of ours.
 * @param {{ name: string, value: number, unit: string, limit?: number, atLeast?: boolean, platform?: number, note?: string }} figure
 */
export function figure({ name, value, unit, limit, atLeast = false, platform, note }) {
  const rounded = Math.round(value * 100) / 100;
  const alone = platform === undefined ? undefined : Math.round(platform * 100) / 100;
  const ok = limit === undefined || (atLeast ? value >= limit : value <= limit);
  const better = atLeast ? "higher" : undefined;
  console.log(JSON.stringify({ name, value: rounded, unit, limit, ok, better, platform: alone, note }));
}

/** Median of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Median time of one call in nanoseconds, over rounds of many calls; the rounds of several subjects alternate, so that
 * a busy machine slows all of them alike.
 * @param {Record<string, () => unknown>} subjects
 */
export function compare(subjects, { rounds = 15, calls = 20_000 } = {}) {
  const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, /** @type {number[]} */ ([])]));
  for (let round = -3; round < rounds; round++) {
    for (const [name, call] of Object.entries(subjects)) {
      const started = process.hrtime.bigint();
      for (let i = 0; i < calls; i++) call();
      if (round >= 0) times[name].push(Number(process.hrtime.bigint() - started) / calls);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}
