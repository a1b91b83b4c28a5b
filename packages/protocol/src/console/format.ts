import type { ConsoleMethod } from "../names.js";
import type { ConsoleArgument } from "../schema/console/argument.js";
import { argumentText } from "./console-text.js";

const SPECIFIER = /%([sdifoOc%])/g;

/** Methods whose arguments a console prints as they are. All others treat the first string as a format. */
const PLAIN_METHODS: ReadonlySet<ConsoleMethod> = new Set<ConsoleMethod>([
  ...(["table", "dir", "dirxml", "count", "countReset"] as const),
  ...(["time", "timeLog", "timeEnd", "groupEnd", "clear"] as const),
]);

/**
 * The arguments of a console call as one line of text, with format specifiers applied.
 *
 * @example formatConsoleArguments([{ type: "string", value: "%s has %d" }, { type: "string", value: "cart" }, { type: "number", value: 3.7 }])
 * // "cart has 3"
 */
export function formatConsoleArguments(values: readonly ConsoleArgument[], method?: ConsoleMethod): string {
  return applyFormat(values, method)
    .map((value) => argumentText(value))
    .join(" ");
}

/**
 * Applies format specifiers as a console does and keeps the rest as data, for readers that print values themselves: `%s
 * %d %i %f` become text, `%o` and `%O` leave their value as a separate argument, `%c` drops its style, `%%` is a
 * percent sign. A specifier without an argument stays as written.
 *
 * A failed assertion carries its label as the first value; its format is the second.
 */
export function applyFormat(values: readonly ConsoleArgument[], method?: ConsoleMethod): ConsoleArgument[] {
  if (method !== undefined && PLAIN_METHODS.has(method)) return [...values];
  if (method === "assert" && values[0]) return [values[0], ...applyFormat(values.slice(1))];
  const [format, ...rest] = values;
  if (format?.type !== "string" || !format.value.includes("%")) return [...values];

  const result: ConsoleArgument[] = [];
  let text = "";
  let from = 0;
  let used = 0;
  const flush = (): void => {
    if (text !== "") result.push({ type: "string", value: text });
    text = "";
  };
  for (const match of format.value.matchAll(SPECIFIER)) {
    // A separate value is preceded by one space, which replaces the one in the format.
    const between = format.value.slice(from, match.index);
    text += text === "" && result.length > 0 && between.startsWith(" ") ? between.slice(1) : between;
    from = match.index + match[0].length;
    const letter = match[1] as string;
    const value = rest[used];
    if (letter === "%") text += "%";
    else if (value === undefined) text += match[0];
    else {
      used++;
      if (letter === "o" || letter === "O") {
        if (text.endsWith(" ")) text = text.slice(0, -1);
        flush();
        result.push(value);
      } else if (letter !== "c") text += convert(letter, value);
    }
  }
  const tail = format.value.slice(from);
  text += text === "" && result.length > 0 && tail.startsWith(" ") ? tail.slice(1) : tail;
  if (text !== "" || result.length === 0) result.push({ type: "string", value: text });
  return [...result, ...rest.slice(used)];
}

function convert(letter: string, value: ConsoleArgument): string {
  if (letter === "s") return textOf(value);
  if (value.type !== "number" && value.type !== "string") return "NaN";
  const isBigInt = value.type === "number" && typeof value.value === "string" && value.value.endsWith("n");
  if (isBigInt && letter !== "f") return String(value.value);
  if (letter === "f") return String(Number.parseFloat(String(value.value)));
  if (value.type === "string") return String(Number.parseInt(value.value, 10));
  const number = Number(value.value);
  return Number.isFinite(number) ? String(Math.trunc(number)) : "NaN";
}

/** A value inside a text: an object is named, not listed. */
function textOf(value: ConsoleArgument): string {
  switch (value.type) {
    case "array":
      return typeof value.value === "string"
        ? value.value
        : `Array(${value.value.length + (value.omitted ?? 0)})`;
    case "object":
      return typeof value.value === "string" ? value.value : `[object ${value.className || "Object"}]`;
    case "error":
      return value.value;
    case "function":
      return `function ${value.name ?? ""}`.trimEnd();
    default:
      return argumentText(value);
  }
}
