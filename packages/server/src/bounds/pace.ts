/** Large messages that all open peers may send together, in bytes per second, and at once. */
const BYTES_PER_SECOND = 24 * 1024 * 1024;
const MAX_AT_ONCE = 4 * 1024 * 1024;

let allowance = MAX_AT_ONCE;
let since = 0;

/**
 * Takes a large message into account; how many milliseconds its sender has to wait before it may send more. Faster than
 * this, the memory that messages leave behind grows before it is reclaimed.
 */
export function paceOf(bytes: number, now = performance.now()): number {
  allowance = Math.min(MAX_AT_ONCE, allowance + ((now - since) / 1_000) * BYTES_PER_SECOND) - bytes;
  since = now;
  return allowance >= 0 ? 0 : (-allowance / BYTES_PER_SECOND) * 1_000;
}
