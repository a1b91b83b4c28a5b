import { CONSOLE_LIMITS } from "../limits.js";
import { truncate } from "../text/text.js";

type Fields = Record<string, unknown>;

const TYPES = new Set(
  "string number boolean null undefined object array function dom circular error".split(" "),
);
const MAX_STRING = CONSOLE_LIMITS.stringBytes - 100;

/**
 * A console event of another sender in the form that this project writes. The protocol allows any `value` and leaves out
 * `source`; ours has a type for each. What cannot be read stays as it is, for the check to refuse.
 *
 * @example liberalEvent({ type: "console_event", payload: { args: [{ type: "undefined", value: "undefined" }] } })
 */
export function liberalEvent(message: unknown): unknown {
  if (!isFields(message) || message.type !== "console_event" || !isFields(message.payload)) return message;
  const { source = { tabId: 0, url: "", title: "" }, payload } = message;
  const { args } = payload;
  return {
    ...message,
    source,
    payload: {
      ...payload,
      ...(Array.isArray(args)
        ? { args: args.map((arg) => (isArgument(arg) ? typedArgument(arg, 0) : arg)) }
        : {}),
    },
  };
}

function isArgument(given: unknown): given is Fields {
  return isFields(given) && typeof given.type === "string" && TYPES.has(given.type);
}

/** An argument, or a plain value inside one. */
function argumentOf(given: unknown, depth: number): unknown {
  return isArgument(given) ? typedArgument(given, depth) : plainArgument(given, depth);
}

function typedArgument(argument: Fields, depth: number): unknown {
  const { value, ...rest } = argument;
  switch (argument.type) {
    case "null":
    case "undefined":
      return rest;
    case "string":
      return { ...rest, value: textOf(value) };
    case "boolean":
      return { ...rest, value: value === true || value === "true" };
    case "number":
      return { ...rest, value: numberOf(value) };
    case "function":
    case "circular":
      return { ...rest, ...(typeof value === "string" ? { value: textOf(value) } : {}) };
    case "dom":
      return { ...rest, ...domOf(argument) };
    case "error":
      return { ...rest, value: errorText(value) };
    default: {
      const fits = Array.isArray(value) === (argument.type === "array");
      return { ...rest, value: fits ? membersOf(value, depth) : textOf(value) };
    }
  }
}

function plainArgument(value: unknown, depth: number): unknown {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "string", value: textOf(value) };
  if (typeof value === "number") return { type: "number", value };
  if (typeof value === "boolean") return { type: "boolean", value };
  return { type: Array.isArray(value) ? "array" : "object", value: membersOf(value, depth) };
}

/** What is beyond the limits of the wire stays so, for the check to refuse; the recursion ends somewhat later. */
function membersOf(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > 2 * CONSOLE_LIMITS.depth) return textOf(value);
  if (Array.isArray(value)) return value.map((item) => argumentOf(item, depth + 1));
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([key, member]) => [key, argumentOf(member, depth + 1)]));
}

function domOf({ value, tagName }: Fields): Fields {
  const shown = value === undefined || value === null ? undefined : textOf(value);
  const [, found = "element"] = /^<([a-z][\w-]{0,50})/i.exec(shown ?? "") ?? [];
  return {
    ...(shown === undefined ? {} : { value: shown }),
    tagName: typeof tagName === "string" ? tagName : found,
  };
}

function errorText(value: unknown): string {
  if (!isFields(value)) return textOf(value);
  const { name = "Error", message } = value;
  return message === undefined ? textOf(value) : textOf(`${String(name)}: ${String(message)}`);
}

function numberOf(value: unknown): unknown {
  if (typeof value === "number") return value;
  if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  return typeof value === "string" ? value : "NaN";
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return truncate(JSON.stringify(value) ?? "undefined", MAX_STRING);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
