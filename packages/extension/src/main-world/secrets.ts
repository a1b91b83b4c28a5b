import { MASK } from "@debug-bridge/protocol";
import { codeAt, indexOfText, mapGet, mapSet, NativeMap, sliceText } from "./natives.js";

/*
 * Read letter by letter: a regular expression that matches in the page's world would change what the page finds in
 * `RegExp.$1` and its kin.
 */

/** Names whose values stay in the page, whoever logs them, in names and before a colon or an equals sign in text. */
const WORDS = [
  ...["password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "cookie", "jwt"],
  ...["authorization", "authorisation", "sessionid", "session-id", "session_id"],
  ...["apikey", "api-key", "api_key", "accesskey", "access-key", "access_key"],
  ...["privatekey", "private-key", "private_key"],
];
/** In names only: in text they are words as others. */
const NAME_WORDS = ["credential", "csrf", "xsrf", "cvv", "cvc", "cardnum", "card-num", "card_num", "otp"];
const SCHEMES = ["bearer", "basic"];
const SHORTEST_VALUE = 4;
const LONGEST_NAME = 100;

const wordsIn = byFirstLetter(WORDS);
const nameWordsIn = byFirstLetter([...WORDS, ...NAME_WORDS]);
/** A program uses few names, again and again. */
const verdicts: Map<unknown, boolean> = new NativeMap();
const MOST_VERDICTS = 1_000;
let judged = 0;

export function isSecretName(name: string): boolean {
  if (name.length >= LONGEST_NAME) return false;
  const known = mapGet(verdicts, name);
  if (known !== undefined) return known;
  const verdict = namesSecret(name);
  if (++judged <= MOST_VERDICTS) mapSet(verdicts, name, verdict);
  return verdict;
}

/** Text in which what follows the name of a secret is masked. */
export function maskText(text: string): string {
  // Most lines hold neither, and looking at each letter costs more than all the rest of a call.
  if (indexOfText(text, "=") === -1 && indexOfText(text, ":") === -1 && indexOfText(text, "earer ") === -1)
    return text;
  let masked = "";
  let kept = 0;
  for (let at = 0; at < text.length; ) {
    const value = secretAt(text, at);
    const end = value === -1 ? -1 : endOfValue(text, value);
    if (end === -1) at++;
    else {
      masked += `${sliceText(text, kept, value)}${MASK}`;
      kept = end;
      at = end;
    }
  }
  return masked === "" ? text : masked + sliceText(text, kept);
}

function byFirstLetter(words: readonly string[]): Map<unknown, readonly string[]> {
  const found: Map<unknown, string[]> = new NativeMap();
  for (const word of words) {
    const letter = word.charCodeAt(0);
    found.set(letter, [...(found.get(letter) ?? []), word]);
  }
  return found;
}

function namesSecret(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const words = mapGet(nameWordsIn, lowerAt(name, at));
    if (words === undefined) continue;
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as string;
      if (standsAt(name, at, word) && isWholeName(name, at, word)) return true;
    }
  }
  return false;
}

/** Tokens are counted as often as they are secret, and `otp` is part of many words. */
function isWholeName(name: string, at: number, word: string): boolean {
  const next = lowerAt(name, at + word.length);
  if (word === "token") return next !== 0x73;
  return word !== "otp" || ((at === 0 || isDash(codeAt(name, at - 1))) && !isLetter(next));
}

/** Where the value of a secret begins whose name stands here; -1 when none does. */
function secretAt(text: string, at: number): number {
  const first = lowerAt(text, at);
  if (first === 0x62 && standsAt(text, at, "bearer") && !isWord(codeAt(text, at - 1))) {
    const value = afterSpaces(text, at + 6);
    if (value > at + 6 && endOfValue(text, value) !== -1) return value;
  }
  const words = mapGet(wordsIn, first);
  if (words === undefined) return -1;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (!standsAt(text, at, word)) continue;
    const sign = afterSpaces(text, afterQuote(text, at + word.length));
    if (!isSign(codeAt(text, sign))) continue;
    const value = afterQuote(text, afterSpaces(text, sign + 1));
    const credentials = afterScheme(text, value);
    if (endOfValue(text, credentials) !== -1) return credentials;
    if (endOfValue(text, value) !== -1) return value;
  }
  return -1;
}

function afterScheme(text: string, at: number): number {
  for (let i = 0; i < SCHEMES.length; i++) {
    const scheme = SCHEMES[i] as string;
    const end = at + scheme.length;
    if (standsAt(text, at, scheme) && isSpace(codeAt(text, end))) return afterSpaces(text, end);
  }
  return at;
}

/** Where a value that begins here ends; -1 when it is too short to be one. */
function endOfValue(text: string, at: number): number {
  let end = at;
  while (isOfValue(codeAt(text, end))) end++;
  return end - at >= SHORTEST_VALUE ? end : -1;
}

function afterSpaces(text: string, at: number): number {
  let end = at;
  while (isSpace(codeAt(text, end))) end++;
  return end;
}

function afterQuote(text: string, at: number): number {
  const code = codeAt(text, at);
  return code === 0x22 || code === 0x27 ? at + 1 : at;
}

/** Whether a word of small letters stands there, in letters of any size. */
function standsAt(text: string, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (lowerAt(text, at + i) !== codeAt(word, i)) return false;
  return true;
}

/** The code of a character, of its small form where it is a letter; NaN beyond the end. */
function lowerAt(text: string, at: number): number {
  const code = codeAt(text, at);
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

const isSign = (code: number): boolean => code === 0x3a || code === 0x3d;
const isDash = (code: number): boolean => code === 0x2d || code === 0x5f;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isWord = (code: number): boolean => isLetter(code) || isDigit(code) || code === 0x5f;

/** Letters, digits and `_-.~+/=%`. */
function isOfValue(code: number): boolean {
  if (isWord(code)) return true;
  switch (code) {
    case 0x2d:
    case 0x2e:
    case 0x7e:
    case 0x2b:
    case 0x2f:
    case 0x3d:
    case 0x25:
      return true;
    default:
      return false;
  }
}
