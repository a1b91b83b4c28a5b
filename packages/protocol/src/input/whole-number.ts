import { BridgeError } from "../errors.js";

/** A whole number from a query or a header. */
export function wholeNumber(text: string | undefined, field: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BridgeError("invalid_message", `${field} is ${JSON.stringify(text)}; it must be a whole number`, {
    field,
  });
}
