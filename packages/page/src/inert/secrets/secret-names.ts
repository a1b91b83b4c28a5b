import { codeAt, indexOfText, lowerCase, mapGet, mapSet, NativeMap, sliceText } from "../natives.js";

/*
 * Without regular expressions: one that matches in the page's world would change what the page finds in `RegExp.$1`.
 */

/** Words that make a field, a key, an attribute or a parameter a secret by its name, wherever they are in it. */
const WORDS =
  "password passwd passphrase passcode pwd secret token cookie credential authorization authorisation jwt csrf xsrf cvv cvc".split(
    " ",
  );
/** The same for words that are written with and without a separator: `api_key`, `api-key`, `apiKey`. */
const COMPOUND_WORDS = "sessionid apikey accesskey privatekey secretkey onetime cardnum".split(" ");
/** Words that are part of many others ("compass", "spinner", "author") and count only as the last word of a name. */
const LAST_WORDS = "pass pw pin auth otp".split(" ");

/** Names that contain such a word but are not secret, without separators. */
const HARMLESS =
  " tokencount tokentype tokenlimit cookieconsent cookiebanner cookiepolicy passwordhint passwordstrength passwordpolicy passwordlength ";
/** Before `token` or `tokens`, these mean that tokens are counted. */
const COUNTING = "  max min next prev num total used count input output prompt completion cached reasoning ";

/** A program uses few names, again and again. */
const verdicts: Map<unknown, boolean> = new NativeMap();
const MAX_VERDICTS = 1_000;
const MAX_CACHED_LENGTH = 100;
let cached = 0;

/**
 * Whether a name means that its value is secret.
 *
 * @example isSecretName("accessToken") // true
 * @example isSecretName("maxTokens") // false
 */
export function isSecretName(name: string): boolean {
  const known = mapGet(verdicts, name);
  if (known !== undefined) return known;
  const verdict = namesSecret(name);
  if (name.length <= MAX_CACHED_LENGTH && ++cached <= MAX_VERDICTS) mapSet(verdicts, name, verdict);
  return verdict;
}

/** Whether the value of this name is secret. An object called "auth" is not; what is in it may be. */
export function hidesMember(name: string, value: unknown): boolean {
  if (!isSecretName(name)) return false;
  return typeof value !== "object" || value === null || !endsWith(lowerCase(name), "auth");
}

/** Whether a name is secret only by a short last word, which in prose is a word like any other. */
export function isWeakSecretName(name: string): boolean {
  return !hasSecretWord(lowerCase(name));
}

/** Whether a name ends with a secret word: `cookie` and `db_pass` do, `cookies` does not. */
export function endsWithSecretWord(name: string): boolean {
  const lower = lowerCase(name);
  return (
    some(WORDS, lower, endsWith) ||
    some(COMPOUND_WORDS, withoutSeparators(lower), endsWith) ||
    endsWithShortWord(name, lower)
  );
}

function namesSecret(name: string): boolean {
  const lower = lowerCase(name);
  if (endsWithShortWord(name, lower)) return true;
  return hasSecretWord(lower) && !isHarmless(withoutSeparators(lower));
}

function isHarmless(joined: string): boolean {
  if (endsWith(joined, "tokens")) return lists(COUNTING, sliceText(joined, 0, joined.length - 6));
  if (endsWith(joined, "token") && joined !== "token")
    return lists(COUNTING, sliceText(joined, 0, joined.length - 5));
  return lists(HARMLESS, joined);
}

/** Whether a list of words between spaces has this one. */
const lists = (list: string, word: string): boolean => indexOfText(list, ` ${word} `) !== -1;

function hasSecretWord(lower: string): boolean {
  if (some(WORDS, lower, contains) || some(COMPOUND_WORDS, withoutSeparators(lower), contains)) return true;
  const otp = indexOfText(lower, "otp");
  return otp !== -1 && !isLetter(codeAt(lower, otp + 3));
}

/** `db_pass`, `userPin2` and `login[pw]`, but not `compass`. */
function endsWithShortWord(name: string, lower: string): boolean {
  let end = lower.length;
  if (codeAt(lower, end - 1) === 0x5d) end--;
  while (end > 0 && isDigit(codeAt(lower, end - 1))) end--;
  for (let i = 0; i < LAST_WORDS.length; i++) {
    const word = LAST_WORDS[i] as string;
    const start = end - word.length;
    if (start < 0 || sliceText(lower, start, end) !== word) continue;
    const before = codeAt(lower, start - 1);
    if (start === 0 || !isLetter(before)) return true;
    if (isUpper(codeAt(name, start)) && !isUpper(codeAt(name, start - 1))) return true;
  }
  return false;
}

function some(
  words: readonly string[],
  text: string,
  matches: (text: string, word: string) => boolean,
): boolean {
  for (let i = 0; i < words.length; i++) if (matches(text, words[i] as string)) return true;
  return false;
}

const contains = (text: string, word: string): boolean => indexOfText(text, word) !== -1;

function endsWith(text: string, end: string): boolean {
  return text.length >= end.length && sliceText(text, text.length - end.length) === end;
}

function withoutSeparators(text: string): string {
  if (indexOfText(text, "-") === -1 && indexOfText(text, "_") === -1) return text;
  let joined = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    if (code !== 0x2d && code !== 0x5f) continue;
    joined += sliceText(text, from, at);
    from = at + 1;
  }
  return joined + sliceText(text, from);
}

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;
export const isLetter = (code: number): boolean => isUpper(code) || (code >= 0x61 && code <= 0x7a);
