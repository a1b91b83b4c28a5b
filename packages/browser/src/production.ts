import { buildReason } from "./build-mode.js";

/** What `isLoopbackName` accepts, and pages of files and of 0.0.0.0. One pattern: every page loads it. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1|0\.0\.0\.0|)$/i;

/**
 * Why this page counts as production, or `undefined` in development. A page that other machines can reach counts,
 * whatever its build mode.
 */
export function productionReason(hostname: string): string | undefined {
  const reason = buildReason();
  if (reason !== undefined || LOOPBACK.test(hostname)) return reason;
  return `the page is from ${hostname}, not this machine`;
}
