import type { ConsoleLevel, ConsoleMethod } from "./names.js";
import type { ConsoleArgument } from "./schema/console/argument.js";

const MOST_MEMBERS = 20;
const MOST_DEPTH = 3;

/** How serious a console method is, in the four levels of the app wire. */
export function levelOf(method: ConsoleMethod): ConsoleLevel {
  if (method === "error" || method === "assert") return "error";
  if (method === "warn" || method === "info") return method;
  return "log";
}

/** An argument of a console call as one piece of plain text, as a person would expect to read it. */
export function argumentText(argument: ConsoleArgument, depth = 0): string {
  switch (argument.type) {
    case "string":
      return depth === 0 ? argument.value : JSON.stringify(argument.value);
    case "number":
    case "boolean":
      return String(argument.value);
    case "null":
    case "undefined":
      return argument.type;
    case "function":
      return `ƒ ${argument.name || "anonymous"}`;
    case "dom":
      return argument.value ?? `<${argument.tagName.toLowerCase()}>`;
    case "circular":
      return "[Circular]";
    case "error":
      return errorText(argument, depth);
    case "array":
      return listText(argument, depth);
    case "object":
      return objectText(argument, depth);
  }
}

type Of<Type extends ConsoleArgument["type"]> = Extract<ConsoleArgument, { type: Type }>;

function errorText({ value, stack, cause }: Of<"error">, depth: number): string {
  const text = depth === 0 && stack ? (stack.startsWith(value) ? stack : `${value}\n${stack}`) : value;
  return cause && depth < MOST_DEPTH ? `${text}\nCaused by: ${argumentText(cause, depth)}` : text;
}

function listText({ value, className, omitted }: Of<"array">, depth: number): string {
  if (typeof value === "string") return value;
  const prefix = className && className !== "Array" ? `${className} ` : "";
  if (depth >= MOST_DEPTH) return `${prefix}Array(${value.length + (omitted ?? 0)})`;
  const shown = value.slice(0, MOST_MEMBERS).map((item) => argumentText(item, depth + 1));
  return `${prefix}[${withRest(shown, value.length - shown.length + (omitted ?? 0))}]`;
}

function objectText({ value, className, omitted }: Of<"object">, depth: number): string {
  if (typeof value === "string") return value;
  const prefix = className && className !== "Object" ? `${className} ` : "";
  if (depth >= MOST_DEPTH) return `${prefix}{…}`;
  const members = Object.entries(value);
  const shown = members
    .slice(0, MOST_MEMBERS)
    .map(([key, member]) => `${key}: ${argumentText(member, depth + 1)}`);
  return `${prefix}{${withRest(shown, members.length - shown.length + (omitted ?? 0))}}`;
}

function withRest(shown: string[], rest: number): string {
  return rest > 0 ? [...shown, `… ${rest} more`].join(", ") : shown.join(", ");
}
