import { apply, getOwnPropertyDescriptor, hasOwn, isArray, isError, stackGetter } from "../natives.js";
import { exceptionText } from "./builtin-formatters.js";
import { dataOf, kindOf, ownData } from "./class-of.js";

/** Recognises errors by the platform where it can, else by their prototypes. */
export function looksLikeError(value: object): boolean {
  if (isError) return isError(value);
  const kind = kindOf(value);
  return kind === "error" || kind === "exception";
}

/** `TypeError: x is not a function`, read without calling anything of the page. */
export function errorText(value: object, className: string): string {
  if (kindOf(value) === "exception") {
    try {
      return exceptionText(value);
    } catch {
      // It only inherits from DOMException.
    }
  }
  const name = dataOf(value, "name");
  const message = dataOf(value, "message");
  const shown = typeof name === "string" && name !== "" ? name : className || "Error";
  return typeof message === "string" && message !== "" ? `${shown}: ${message}` : shown;
}

/** The stack, without calling a getter of the page. */
export function errorStack(value: object): string | undefined {
  const described = getOwnPropertyDescriptor(value, "stack");
  if (!described) return undefined;
  let stack: unknown;
  if (hasOwn(described, "value")) stack = described.value;
  else if (described.get !== undefined && described.get === stackGetter)
    stack = apply(described.get, value, []);
  return typeof stack === "string" ? stack : undefined;
}

/** What led to an error: its `cause`, or the errors that an AggregateError holds. */
export function errorCause(value: object): { readonly value: unknown } | undefined {
  const described = getOwnPropertyDescriptor(value, "cause");
  if (described && hasOwn(described, "value")) return { value: described.value };
  const errors = ownData(value, "errors");
  return isArray(errors) ? { value: errors } : undefined;
}
