const FIRST_MS = 250;
const MAX_MS = 15_000;

/**
 * How long to wait before the nth attempt in a row: doubling, bounded, and each time a different part of it, so that
 * many pages do not come back at the same moment.
 *
 * @example retryDelay(0, () => 0.5) // 187.5
 */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return most / 2 + (most / 2) * random();
}
