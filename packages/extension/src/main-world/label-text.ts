import {
  bigintDigits,
  classNameOf,
  errorText,
  functionName,
  isArray,
  looksLikeError,
  numberText,
  symbolText,
} from "@debug-bridge/page/inert";

/**
 * The label of a counter or timer as text. A console would call `toString`; here the page's own method is not called.
 */
export function labelText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return numberText(value);
    case "bigint":
      return bigintDigits(value) ?? "(over 10,000 digits)";
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
