import { classNameOf, functionName } from "./class-of.js";
import { errorText, looksLikeError } from "./errors.js";
import {
  codeAt,
  floor,
  isArray,
  isFiniteNumber,
  parseDecimal,
  parseInteger,
  putAt,
  sliceText,
  symbolText,
} from "./natives.js";
import { bigintDigits, numberText } from "./special.js";

const PERCENT = 0x25;
const SPACE = 0x20;
const NOT_A_NUMBER = Number.NaN;

/**
 * Resolves format specifiers as a console does: `%s %d %i %f` become text, `%o` and `%O` leave their object as an
 * argument of its own, `%c` swallows its style, `%%` is a percent sign. What has no argument stays as written.
 *
 * @example resolveFormat(["%s has %d items", "cart", 3]) // ["cart has 3 items"]
 */
export function resolveFormat(args: readonly unknown[]): readonly unknown[] {
  const format = args[0];
  if (typeof format !== "string" || args.length < 1) return args;
  let percent = nextPercent(format, 0);
  if (percent === -1) return args;

  const result: unknown[] = [];
  let text = "";
  let used = 1;
  let from = 0;
  const push = (value: unknown): void => putAt(result, result.length, value);
  for (; percent !== -1; percent = nextPercent(format, from)) {
    const letter = sliceText(format, percent + 1, percent + 2);
    text += sliceText(format, from, percent);
    from = percent + 2;
    if (letter === "%") text += "%";
    else if (!isSpecifier(letter) || used >= args.length) text += `%${letter}`;
    else if (letter === "c") used++;
    else if (letter === "o" || letter === "O") {
      // Whoever prints puts a space between arguments.
      const before = codeAt(text, text.length - 1) === SPACE ? sliceText(text, 0, text.length - 1) : text;
      if (before !== "") push(before);
      push(args[used++]);
      text = "";
      if (codeAt(format, from) === SPACE) from++;
    } else text += convert(letter, args[used++]);
  }
  text += sliceText(format, from);
  if (text !== "" || result.length === 0) push(text);
  for (; used < args.length; used++) push(args[used]);
  return result;
}

function nextPercent(text: string, from: number): number {
  for (let i = from; i < text.length; i++) if (codeAt(text, i) === PERCENT) return i;
  return -1;
}

function isSpecifier(letter: string): boolean {
  switch (letter) {
    case "s":
    case "d":
    case "i":
    case "f":
    case "o":
    case "O":
    case "c":
      return true;
    default:
      return false;
  }
}

function convert(letter: string, value: unknown): string {
  if (letter === "s") return plainText(value);
  if (typeof value === "bigint" && letter !== "f") return bigintDigits(value) ?? "NaN";
  if (typeof value !== "number" && typeof value !== "string") return "NaN";
  if (letter === "f") return numberText(typeof value === "number" ? value : parseDecimal(value));
  if (typeof value === "string") return numberText(parseInteger(value, 10));
  return numberText(isFiniteNumber(value) ? (value < 0 ? -floor(-value) : floor(value)) : NOT_A_NUMBER);
}

/** A value as text, where a console would call `toString`: the page's own is not called. */
export function plainText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return numberText(value);
    case "bigint":
      return bigintDigits(value) ?? "(more than 10,000 digits)";
    case "symbol":
      return symbolText(value);
    case "boolean":
      return value ? "true" : "false";
    case "undefined":
      return "undefined";
    case "function":
      return `function ${functionName(value)}`;
    default:
      return value === null ? "null" : objectText(value as object);
  }
}

function objectText(value: object): string {
  try {
    if (isArray(value)) return `Array(${value.length})`;
    const className = classNameOf(value);
    return looksLikeError(value) ? errorText(value, className) : `[object ${className || "Object"}]`;
  } catch {
    return "[object]";
  }
}
