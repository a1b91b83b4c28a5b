import { execFileSync } from "node:child_process";

/** What starting Node takes on a machine that does nothing else. */
const QUIET_START_MS = 60;
const MOST = 20;

/**
 * A time that is promised for a machine that does nothing else, as long as it lasts on this one now: starting a
 * process shows how much of the machine a test gets.
 */
export function quietTime(ms: number): number {
  const started = performance.now();
  execFileSync(process.execPath, ["-e", "0"]);
  const slowness = (performance.now() - started) / QUIET_START_MS;
  return ms * Math.min(Math.max(slowness, 1), MOST);
}
