import { codeAt, decodeUri, indexOfText, min, sliceText } from "../natives.js";
import type { Hides } from "./mask-text.js";
import { endsWithSecretWord, isDigit, isLetter, isSecretName, isWeakSecretName } from "./secret-names.js";

/** A part of a text that must not be seen. `mark` is written around the mask, in place of the value's own quotes. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/** All bounds keep hostile text from costing more than a little per character. */
const MAX_NAME = 81;
const MAX_SPACES = 20;
const MAX_BACKSLASHES = 15;
const MAX_USER_INFO = 300;
/** In prose and source code, shorter values are words rather than secrets. */
const MIN_LOOSE_VALUE = 4;
const MIN_CREDENTIALS = 8;

const BACKSLASH = 0x5c;
const EQUALS = 0x3d;

/** `https://user:password@host`, seen from its first colon. */
export function passwordInUrl(text: string, colon: number): Found | undefined {
  if (codeAt(text, colon + 1) !== 0x2f || codeAt(text, colon + 2) !== 0x2f) return undefined;
  if (!isWord(codeAt(text, colon - 1))) return undefined;
  let start = -1;
  for (let at = colon + 3; at < text.length && at < colon + MAX_USER_INFO; at++) {
    const code = codeAt(text, at);
    if (code === 0x40) return start > 0 && at > start ? { start, end: at, mark: "" } : undefined;
    if (code === 0x3a && start === -1) start = at + 1;
    else if (isOneOf("/?#", code) || isSpace(code)) return undefined;
  }
  return undefined;
}

/** `Bearer abc123…` and `Basic abc123…`. `space` is where the scheme ends, `start` where it begins. */
export function authorizationAt(text: string, space: number, start: number): Found | undefined {
  const first = codeAt(text, start);
  if ((first | 0x20) !== 0x62 || isWord(codeAt(text, start - 1))) return undefined;
  const value = skipSpaces(text, space);
  const end = endOfToken(text, value);
  if (end - value < MIN_CREDENTIALS || isPlainWord(text, value, end)) return undefined;
  return { start: value, end, mark: "" };
}

/** The value of a secret name that ends before the sign at `at`: an equals sign or a colon. */
export function pairAt(text: string, at: number, hides: Hides): Found | undefined {
  const nameEnd = skip(text, at, -1, MAX_SPACES, isSpace);
  const last = codeAt(text, nameEnd - 1);
  const found = isQuote(last) ? quotedPair(text, at, nameEnd, hides) : barePair(text, at, nameEnd, hides);
  return found && isSpecifier(text, found) ? undefined : found;
}

/** The place for an argument in a format is no secret; the argument is. */
function isSpecifier(text: string, { start, end }: Found): boolean {
  const from = isQuote(codeAt(text, start)) ? start + 1 : start;
  if (end - from < 2 || end - from > 3 || codeAt(text, from) !== 0x25) return false;
  return isOneOf("sdifoOc", codeAt(text, from + 1)) && !isWord(codeAt(text, from + 2));
}

/** `"name": "value"`, in a string of JSON too, where the quotes have backslashes before them. */
function quotedPair(text: string, at: number, nameEnd: number, hides: Hides): Found | undefined {
  const close = skip(text, nameEnd - 1, -1, MAX_BACKSLASHES, isBackslash);
  const mark = sliceText(text, close, nameEnd);
  const start = skip(text, close, -1, MAX_NAME, isNameCharacter);
  const open = start - mark.length;
  if (start === close || open < 0 || sliceText(text, open, start) !== mark) return undefined;
  if (!hides(sliceText(text, start, close))) return undefined;
  const value = skipSpaces(text, at + 1);
  const quote = skip(text, value, 1, MAX_BACKSLASHES, isBackslash);
  const code = codeAt(text, quote);
  if (isQuote(code)) return { start: value, end: endOfString(text, quote, quote - value), mark };
  if (isDigit(code) || code === 0x2d) return { start: value, end: endOfToken(text, value), mark };
  const end = endOfToken(text, value);
  return end - value >= MIN_LOOSE_VALUE && !isLiteral(text, value, end)
    ? { start: value, end, mark: "" }
    : undefined;
}

/** `?name=value`, `name=value`, `name = value` and `name: value`. */
function barePair(text: string, at: number, nameEnd: number, hides: Hides): Found | undefined {
  const isAssignment = codeAt(text, at) === EQUALS;
  const isTight = isAssignment && nameEnd === at;
  const start = skip(text, nameEnd, -1, min(nameEnd, MAX_NAME), (code) =>
    isTight ? !isParameterEnd(code) && code !== EQUALS : isNameCharacter(code),
  );
  if (start === nameEnd) return undefined;
  const name = decodeLoosely(sliceText(text, start, nameEnd));
  if (!hides(name)) return undefined;
  if (isTight && !isQuote(codeAt(text, at + 1))) {
    const found = parameterValue(text, at + 1, start);
    if (found) return found;
  }
  const isOwnRule = !isSecretName(name);
  if (!isAssignment && !isOwnRule && !endsWithSecretWord(name)) return undefined;
  return looseValue(text, at, isAssignment ? false : !isOwnRule && isWeakSecretName(name));
}

/** The value of a parameter of a URL, a form or a log line. */
function parameterValue(text: string, from: number, nameStart: number): Found | undefined {
  const before = nameStart === 0 ? 0x26 : codeAt(text, nameStart - 1);
  const value = skipScheme(text, from);
  // In a form that is the whole text, quotes are part of a value.
  const isForm = before === 0x26 && !hasAny(text, '\n? "');
  const end = skip(text, value, 1, text.length - value, (code) =>
    isForm ? code !== 0x26 && !isSpace(code) : code === 0x3f || !isParameterEnd(code),
  );
  if (end === value) return undefined;
  if (!isOneOf("&?#;", before) && end - value < MIN_LOOSE_VALUE && indexOfText(text, "\n") !== -1)
    return undefined;
  return { start: value, end, mark: "" };
}

function hasAny(text: string, characters: string): boolean {
  for (let i = 0; i < characters.length; i++)
    if (indexOfText(text, sliceText(characters, i, i + 1)) !== -1) return true;
  return false;
}

/** A value after a sign with spaces or quotes around it. A weak name needs a value with a digit in it. */
function looseValue(text: string, at: number, isWeak: boolean): Found | undefined {
  let value = skipSpaces(text, at + 1);
  const code = codeAt(text, value);
  if (isQuote(code)) {
    const end = endOfString(text, value, 0);
    return end - value > 2 ? { start: value, end, mark: sliceText(text, value, value + 1) } : undefined;
  }
  value = skipScheme(text, value);
  const end = endOfToken(text, value);
  if (end - value < MIN_LOOSE_VALUE || (isWeak && !hasDigit(text, value, end))) return undefined;
  return { start: value, end, mark: "" };
}

/** After `Bearer ` or `Basic `, when one of them is here. */
function skipScheme(text: string, at: number): number {
  if ((codeAt(text, at) | 0x20) !== 0x62) return at;
  const space = indexOfText(text, " ", at);
  const length = space - at;
  if (length !== 6 && length !== 5) return at;
  const rest = sliceText(text, at + 1, space);
  const isScheme = rest === "earer" || rest === "asic" || rest === "EARER" || rest === "ASIC";
  return isScheme ? skipSpaces(text, space) : at;
}

/** Behind the quote that closes the string; the end of the text when that cuts it off. */
function endOfString(text: string, open: number, backslashes: number): number {
  const quote = sliceText(text, open, open + 1);
  for (let at = indexOfText(text, quote, open + 1); at !== -1; at = indexOfText(text, quote, at + 1)) {
    const count = at - skip(text, at, -1, at - open - 1, isBackslash);
    if (backslashes === 0 ? count % 2 === 0 : count <= backslashes) return at + 1;
  }
  return text.length;
}

/** Letters, digits and `_-.~+/=%`. */
function endOfToken(text: string, from: number): number {
  return skip(text, from, 1, text.length, (code) => isWord(code) || isOneOf("-.~+/=%", code));
}

function isPlainWord(text: string, from: number, to: number): boolean {
  return skip(text, from, 1, to - from, (code) => code >= 0x61 && code <= 0x7a) === to;
}

function hasDigit(text: string, from: number, to: number): boolean {
  return skip(text, from, 1, to - from, (code) => !isDigit(code)) !== to;
}

function isLiteral(text: string, from: number, to: number): boolean {
  const word = sliceText(text, from, to);
  return word === "true" || word === "false" || word === "null" || word === "undefined";
}

function decodeLoosely(name: string): string {
  if (indexOfText(name, "%") === -1) return name;
  try {
    return decodeUri(name);
  } catch {
    return name;
  }
}

/** Past the characters that match, `most` at most: those after `from`, or with `step` -1 those before it. */
function skip(
  text: string,
  from: number,
  step: 1 | -1,
  most: number,
  matches: (code: number) => boolean,
): number {
  const end = from + step * most;
  let at = from;
  while (at !== end && matches(codeAt(text, step === 1 ? at : at - 1))) at += step;
  return at;
}

const skipSpaces = (text: string, from: number): number => skip(text, from, 1, MAX_SPACES, isSpace);

const isBackslash = (code: number): boolean => code === BACKSLASH;
const isQuote = (code: number): boolean => code === 0x22 || code === 0x27;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
const isWord = (code: number): boolean => isLetter(code) || isDigit(code) || code === 0x5f;
/** Letters, digits and `_$.-`. */
const isNameCharacter = (code: number): boolean => isWord(code) || isOneOf("$.-", code);

/** Neither a name nor a value of a parameter goes over one of these, or over a space. */
const isParameterEnd = (code: number): boolean => isOneOf("&#?;\"'<>\\", code) || isSpace(code);

function isOneOf(characters: string, code: number): boolean {
  for (let i = 0; i < characters.length; i++) if (codeAt(characters, i) === code) return true;
  return false;
}
