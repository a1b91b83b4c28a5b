import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of this home: 32 random bytes in base64url, made at first use, in a file that only its owner can read.
 * A file that holds anything else is replaced.
 */
export function loadToken(home: string): { token: string; tokenFile: string } {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const tokenFile = join(home, "token");
  const known = readToken(tokenFile);
  if (known) {
    chmodSync(tokenFile, 0o600);
    return { token: known, tokenFile };
  }
  const token = randomBytes(32).toString("base64url");
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
  chmodSync(tokenFile, 0o600);
  return { token, tokenFile };
}

/** The token in a file, or `undefined` when there is none. */
export function readToken(tokenFile: string): string | undefined {
  try {
    const text = readFileSync(tokenFile, "utf8").trim();
    return TOKEN.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Compares in a time that tells nothing about how much of the token was right. */
export function sameToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
