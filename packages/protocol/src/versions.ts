/** Version of the app wire, sent in `hello` and `capabilities`. */
export const APP_PROTOCOL_VERSION = 1;
/** The code with which the SDK closes the connection of a page that goes into the browser's back/forward cache. */
export const PAGE_LEFT_CODE = 4001;

/** Versions of the console wire that the hub understands, oldest first. */
export const CONSOLE_PROTOCOL_VERSION = "1.0.0";
export const CONSOLE_SUPPORTED_VERSIONS = [CONSOLE_PROTOCOL_VERSION] as const;

export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

const SEMVER = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/** Reads `"1.2.3"`; `undefined` for anything else. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const match = SEMVER.exec(text);
  if (!match) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/**
 * Whether a peer that speaks `version` can talk to one that speaks `own`: the same major version. Minor and patch
 * versions only add, so either side may be the newer.
 *
 * @example isCompatible("1.4.0", "1.0.0") // true
 * @example isCompatible("0.9.0", "1.0.0") // false
 */
export function isCompatible(version: string, own: string): boolean {
  const theirs = parseVersion(version);
  const ours = parseVersion(own);
  return theirs !== undefined && ours !== undefined && theirs.major === ours.major;
}
