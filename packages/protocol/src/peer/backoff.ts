export interface BackoffOptions {
  /** Upper bound of the first delay. */
  readonly firstMs: number;
  /** Upper bound of every delay. */
  readonly maxMs: number;
}

/**
 * How long to wait before attempt number `attempt` (from 0): doubling, bounded, and randomised in its upper half, so
 * that many peers do not come back at the same moment. The only back-off of the project.
 *
 * @example backoffDelay(0, { firstMs: 250, maxMs: 15_000 }, () => 0.5) // 187.5
 */
export function backoffDelay(
  attempt: number,
  { firstMs, maxMs }: BackoffOptions,
  random: () => number = Math.random,
): number {
  const bound = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 20));
  return bound / 2 + (bound / 2) * random();
}
