import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** A new ULID: 48 bits of time and 80 random bits, in 26 characters that sort by time. */
export function createUlid(now = Date.now()): string {
  let time = "";
  for (let rest = now, i = 0; i < TIME_CHARACTERS; i++, rest = Math.floor(rest / 32))
    time = ALPHABET[rest % 32] + time;
  // 256 is a multiple of 32, so every character is equally likely.
  const random = Array.from(randomBytes(RANDOM_CHARACTERS), (byte) => ALPHABET[byte % 32]);
  return time + random.join("");
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether a text is a ULID, and so safe as the name of a folder. */
export function isUlid(text: string): boolean {
  return ULID.test(text);
}
