import { KNOWN_READS } from "./known-reads.js";
import { sha256 } from "./sha256.js";

/**
 * What a text of a client is used as. The same text in another place is another thing, so each has its own digest.
 * `script`: evaluated; `function`: called on a page; `skip`: a preparation that is left out; `expression` and the rest: the
 * texts inside Playwright's own call.
 */
export type ReadKind =
  | "script"
  | "injected"
  | "function"
  | "binding"
  | "expression"
  | "value"
  | "skip"
  | "functionText"
  | "callbackText"
  | "predicate";

/** The digest of a text in its use. Half of SHA-256 is kept: finding another text for one of them takes 2^128 tries. */
export function readDigest(kind: ReadKind, text: string): string {
  return sha256(`${kind}\n${text}`).slice(0, 32);
}

let known: ReadonlySet<string> | undefined;

/** Whether a released version of Playwright or Puppeteer sends this text to read a page. */
export function isKnownRead(kind: ReadKind, text: string): boolean {
  known ??= new Set(KNOWN_READS.trim().split(/\s+/));
  return known.has(readDigest(kind, text));
}
