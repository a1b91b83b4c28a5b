import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time: how long it takes does not depend on how much of the token is right. */
export function sameToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
