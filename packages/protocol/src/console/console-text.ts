import type { ConsoleLevel, ConsoleMethod } from "../names.js";
import type { ConsoleArgument } from "../schema/console/argument.js";

/** How serious a console method is, in the four levels of the app wire. */
export function levelOf(method: ConsoleMethod): ConsoleLevel {
  if (method === "error" || method === "assert") return "error";
  if (method === "warn" || method === "info") return method;
  return "log";
}

/** The parts of a value that a terminal may colour. */
export type ValuePart =
  | "string"
  | "primitive"
  | "empty"
  | "function"
  | "dom"
  | "error"
  | "text"
  | "className"
  | "key"
  | "detail";

/** How values become text. */
export interface ValueTextOptions {
  readonly maxDepth: number;
  readonly maxMembers: number;
  /** Characters on a line. Objects that are longer are broken over several lines; without it nothing is. */
  readonly room?: number;
  /** Whether errors inside objects also show their frames. */
  readonly nestedFrames?: boolean;
  /** Adds colour to a part that is already final. */
  readonly paint?: (part: ValuePart, text: string) => string;
}

const ONE_LINE: ValueTextOptions = { maxDepth: 3, maxMembers: 20 };
const INDENT = "  ";
/** Objects up to this length stay on one line. */
const MAX_ONE_LINE = 100;
/** Deep inside an object, a text may exceed the width rather than disappear. */
const MIN_ROOM = 20;

/** An argument of a console call as plain text on one line; errors at the top show their frames. */
export function argumentText(argument: ConsoleArgument, depth = 0): string {
  return valueText(argument, ONE_LINE, depth);
}

/**
 * A value of a page as text, the way DevTools would print it. The only implementation of the project: terminals add
 * `room` and `paint`.
 *
 * @example valueText({ type: "array", value: [{ type: "number", value: 1 }] }, { maxDepth: 3, maxMembers: 20 }) // "[1]"
 */
export function valueText(argument: ConsoleArgument, options: ValueTextOptions, depth = 0): string {
  const { paint = plain, room = Number.POSITIVE_INFINITY } = options;
  switch (argument.type) {
    case "string":
      return depth === 0 ? argument.value : paint("string", fit(JSON.stringify(argument.value), room));
    case "number":
    case "boolean":
      return paint("primitive", String(argument.value));
    case "null":
    case "undefined":
      return paint("empty", argument.type);
    case "function":
      return paint("function", `ƒ ${argument.name || "anonymous"}`);
    case "dom":
      return paint("dom", fit(argument.value ?? `<${argument.tagName.toLowerCase()}>`, room));
    case "circular":
      return paint("empty", "[Circular]");
    case "error":
      return errorText(argument, options, depth);
    case "array":
    case "object":
      return membersText(argument, options, depth);
  }
}

const plain = (_part: ValuePart, text: string): string => text;
const fit = (text: string, room: number): string => ellipsize(text, Math.max(room, MIN_ROOM));

type Of<Type extends ConsoleArgument["type"]> = Extract<ConsoleArgument, { type: Type }>;

function errorText({ value, stack, cause }: Of<"error">, options: ValueTextOptions, depth: number): string {
  const { paint = plain, nestedFrames = false } = options;
  const frames = depth === 0 || nestedFrames ? stackFrames(stack) : [];
  const lines = [paint("error", value), ...frames.map((frame) => paint("detail", `    ${frame}`))];
  if (cause) lines.push(`${paint("detail", "Caused by:")} ${valueText(cause, options, depth)}`);
  return lines.join("\n");
}

/** The frames of a stack, each as `at …`, without the message before them. */
export function stackFrames(stack: string | undefined): string[] {
  return (stack ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "));
}

/** `at save (http://localhost/a.js:1:2)` in its parts. */
export function parseFrame(frame: string): {
  readonly name: string;
  readonly url?: string;
  readonly line?: number;
  readonly column?: number;
} {
  const [, place = ""] = /^at (.*)$/.exec(frame) ?? [];
  const [, url, line, column] = /^(?:.*? \()?(\S+?):(\d+):(\d+)\)?$/.exec(place) ?? [];
  const [, name = "(anonymous)"] = /^(.*?) \(/.exec(place) ?? [];
  if (url === undefined) return { name: place };
  return { name, url, line: Number(line), column: Number(column) };
}

function membersText(argument: Of<"array"> | Of<"object">, options: ValueTextOptions, depth: number): string {
  const { paint = plain, room = Number.POSITIVE_INFINITY } = options;
  const { type, value, className, omitted = 0 } = argument;
  if (typeof value === "string") return paint("text", depth === 0 ? value : fit(value, room));
  const prefix = className && className !== PLAIN_CLASS[type] ? `${paint("className", className)} ` : "";
  const [open, close] = type === "array" ? "[]" : "{}";
  const members = Object.entries(value);
  if (members.length === 0 && omitted === 0) return `${prefix}${open}${close}`;
  if (depth >= options.maxDepth)
    return type === "array"
      ? `${prefix}Array(${members.length + omitted})`
      : `${prefix}{${paint("detail", "…")}}`;
  const shown = members.slice(0, options.maxMembers);
  const parts = shown.map(([key, member]) => {
    const label = type === "array" ? "" : `${key}: `;
    // The indentation, the label and a comma take room, too.
    const inner = { ...options, room: room - INDENT.length - label.length - 1 };
    return `${label && `${paint("key", `${key}:`)} `}${valueText(member, inner, depth + 1)}`;
  });
  const rest = members.length - shown.length + omitted;
  if (rest > 0) parts.push(paint("detail", `… ${rest} more`));
  const oneLine = `${prefix}${open}${parts.join(", ")}${close}`;
  if (options.room === undefined) return oneLine;
  if (!oneLine.includes("\n") && roughLength(argument) <= Math.min(room, MAX_ONE_LINE)) return oneLine;
  const indented = parts.map((part) => `${INDENT}${part.replaceAll("\n", `\n${INDENT}`)}`);
  return `${prefix}${open}\n${indented.join(",\n")}\n${close}`;
}

const PLAIN_CLASS = { array: "Array", object: "Object" } as const;

/** About how long an argument is on one line, without building the line. */
function roughLength(argument: ConsoleArgument): number {
  if (argument.type === "array" || argument.type === "object") {
    if (typeof argument.value === "string") return argument.value.length;
    let length = 2 + (argument.className?.length ?? 0);
    for (const [key, member] of Object.entries(argument.value)) {
      length += roughLength(member) + 2 + (argument.type === "object" ? key.length + 2 : 0);
      if (length > 1_000) break;
    }
    return length;
  }
  return "value" in argument ? String(argument.value).length + 2 : 10;
}

/**
 * Cuts a text to `room` characters and ends it with an ellipsis. A surrogate pair is never cut in half.
 *
 * @example ellipsize("abcdef", 4) // "abc…"
 */
export function ellipsize(text: string, room: number): string {
  if (text.length <= room) return text;
  const end = Math.max(1, room - 1);
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$/, "")}…`;
}
