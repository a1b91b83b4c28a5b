import {
  asSigned,
  bigintText,
  getterOf,
  indexOfText,
  isFiniteNumber,
  symbolText,
  uncurry,
} from "../natives.js";
import type { Kind } from "./class-of.js";

const dateTime = /* @__PURE__ */ uncurry(Date.prototype.getTime) as (self: unknown) => number;
const dateText = /* @__PURE__ */ uncurry(Date.prototype.toISOString) as (self: unknown) => string;
const regexpSource = /* @__PURE__ */ getterOf<string>(RegExp.prototype, "source");
const FLAGS = "dgimsuvy";
/** One getter for each flag: `flags` itself would call what the page put in their place. */
const hasFlag = [
  ...["hasIndices", "global", "ignoreCase", "multiline", "dotAll", "unicode", "unicodeSets", "sticky"],
].map((name) => getterOf<boolean>(RegExp.prototype, name));
const boxedString = /* @__PURE__ */ uncurry(String.prototype.valueOf) as (self: unknown) => string;
const boxedNumber = /* @__PURE__ */ uncurry(Number.prototype.valueOf) as (self: unknown) => number;
const boxedBoolean = /* @__PURE__ */ uncurry(Boolean.prototype.valueOf) as (self: unknown) => boolean;
const boxedBigint = /* @__PURE__ */ uncurry(BigInt.prototype.valueOf) as (self: unknown) => bigint;
const boxedSymbol = /* @__PURE__ */ uncurry(Symbol.prototype.valueOf) as (self: unknown) => symbol;
const bufferLength = /* @__PURE__ */ getterOf<number>(ArrayBuffer.prototype, "byteLength");
const sharedLength = /* @__PURE__ */ getterOf<number>(
  typeof SharedArrayBuffer === "function" ? SharedArrayBuffer.prototype : undefined,
  "byteLength",
);
const href = /* @__PURE__ */ getterOf<string>(URL.prototype, "href");
const eventType = /* @__PURE__ */ getterOf<string>(
  typeof Event === "function" ? Event.prototype : undefined,
  "type",
);
const exceptionName = /* @__PURE__ */ getterOf<string>(DOMException.prototype, "name");
const exceptionMessage = /* @__PURE__ */ getterOf<string>(DOMException.prototype, "message");

/** About 10,000 digits, the limit of the wire. Printing more would also take noticeable time. */
const MAX_BITS = 33_000;

/** A BigInt as the wire writes it, or `undefined` when it is too long to print. */
export function bigintDigits(value: bigint): string | undefined {
  return asSigned(MAX_BITS, value) === value ? `${bigintText(value)}n` : undefined;
}

/**
 * An object that prints as one value, as text; `undefined` when its kind has members instead. Throws when the object
 * only pretends to be of its kind.
 */
export function oneValueText(value: object, kind: Kind, className: string): string | undefined {
  switch (kind) {
    case "date":
      return isFiniteNumber(dateTime(value)) ? dateText(value) : "Invalid Date";
    case "regexp":
      return regexpText(value);
    case "string":
      return boxedString(value);
    case "number":
      return numberText(boxedNumber(value));
    case "boolean":
      return boxedBoolean(value) ? "true" : "false";
    case "bigint":
      return bigintDigits(boxedBigint(value)) ?? "a very long BigInt";
    case "symbol":
      return symbolText(boxedSymbol(value));
    case "buffer":
      return `${className}(${className === "SharedArrayBuffer" ? sharedLength(value) : bufferLength(value)})`;
    case "url":
      return href(value);
    case "event":
      return `${className} ${eventType(value)}`;
    case "opaque":
    case "window":
      return className || "Window";
    default:
      return undefined;
  }
}

export function numberText(value: number): string {
  return value === 0 && 1 / value < 0 ? "-0" : `${value}`;
}

/** Name and message of a DOMException, which has them as getters of the platform. */
export function exceptionText(value: object): string {
  return `${exceptionName(value)}: ${exceptionMessage(value)}`;
}

function regexpText(value: object): string {
  let flags = "";
  for (let i = 0; i < hasFlag.length; i++) if (hasFlag[i]?.(value)) flags += FLAGS[i];
  const source = regexpSource(value);
  return `/${indexOfText(source, "\n") === -1 ? source : "…"}/${flags}`;
}
