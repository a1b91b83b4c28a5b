/**
 * The time for whatever lasts or ends: leases, deadlines, who sent something last. It goes on at its pace when somebody sets the clock of
 * the machine; `Date.now()` jumps, and is for timestamps. In milliseconds, and the same as `Date.now()` until the clock is set.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}

/** What the clock of the machine will show at a moment of the steady clock, for people and other programs. */
export function asWallTime(steady: number, now = steadyNow()): number {
  return Math.round(Date.now() + steady - now);
}
