/** Waits between attempts to reach the hub; after the last one fails, only a person or a tab tries again. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000] as const;

/** How long to wait before retry number `retry` (from 0), or `undefined` when there is none left. */
export function retryDelay(retry: number): number | undefined {
  return RETRY_DELAYS_MS[retry];
}
