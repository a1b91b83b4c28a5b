/** The percentiles that distributions are drawn at. */
export const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99];

/** A percentile of some numbers: the least value that so many of a hundred do not exceed. */
export function percentile(numbers, percent) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Points of a distribution: a percentile, and its value. */
export const distribution = (numbers) =>
  PERCENTILES.map((percent) => [percent, percentile(numbers, percent)]);
