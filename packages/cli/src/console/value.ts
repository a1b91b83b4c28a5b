import type { ConsoleArgument } from "@debug-bridge/protocol";
import type { Style } from "./style.js";

const MOST_DEPTH = 4;
const MOST_MEMBERS = 50;
const INDENT = "  ";
/** Deep inside, a text may go over the edge rather than disappear. */
const LEAST_ROOM = 20;

/**
 * An argument as a person reads it: short values on one line, longer objects over several, colours by type. `room` is
 * how many characters fit on the line.
 */
export function formatValue(argument: ConsoleArgument, style: Style, room: number, depth = 0): string {
  switch (argument.type) {
    case "string":
      return depth === 0
        ? argument.value
        : style.paint("green", cut(JSON.stringify(argument.value), Math.max(room, LEAST_ROOM)));
    case "number":
    case "boolean":
      return style.paint("yellow", String(argument.value));
    case "null":
    case "undefined":
      return style.paint("dim", argument.type);
    case "function":
      return style.paint("cyan", `ƒ ${argument.name || "anonymous"}()`);
    case "dom":
      return style.paint("magenta", cut(argument.value ?? `<${argument.tagName.toLowerCase()}>`, room));
    case "circular":
      return style.paint("dim", "[Circular]");
    case "error":
      return formatError(argument, style, room, depth);
    case "array":
    case "object":
      return formatMembers(argument, style, room, depth);
  }
}

type Of<Type extends ConsoleArgument["type"]> = Extract<ConsoleArgument, { type: Type }>;

function formatError(
  { value, stack, cause }: Of<"error">,
  style: Style,
  room: number,
  depth: number,
): string {
  const frames = (stack ?? "").split("\n").filter((line) => /^\s*at /.test(line));
  const lines = [
    style.paint("red", value),
    ...frames.map((frame) => style.paint("dim", `${INDENT}${INDENT}${frame.trim()}`)),
  ];
  if (cause && depth < MOST_DEPTH)
    lines.push(`${style.paint("dim", "Caused by:")} ${formatValue(cause, style, room, depth + 1)}`);
  return lines.join("\n");
}

function formatMembers(
  argument: Of<"array"> | Of<"object">,
  style: Style,
  room: number,
  depth: number,
): string {
  const { value, className, omitted = 0 } = argument;
  if (typeof value === "string")
    return style.paint("blue", depth === 0 ? value : cut(value, Math.max(room, LEAST_ROOM)));
  const plainName = argument.type === "array" ? "Array" : "Object";
  const prefix = className && className !== plainName ? `${style.paint("cyan", className)} ` : "";
  const [open, close] = argument.type === "array" ? ["[", "]"] : ["{", "}"];
  const members = Object.entries(value);
  if (members.length === 0 && omitted === 0) return `${prefix}${open}${close}`;
  if (depth >= MOST_DEPTH) return `${prefix}${open}${style.paint("dim", "…")}${close}`;
  const shown = members.slice(0, MOST_MEMBERS);
  const rest = members.length - shown.length + omitted;
  const parts = shown.map(([key, member]) => {
    const name = argument.type === "array" ? 0 : key.length + 2;
    // A comma follows.
    const text = formatValue(member, style, room - INDENT.length - name - 1, depth + 1);
    return argument.type === "array" ? text : `${style.paint("dim", `${key}:`)} ${text}`;
  });
  if (rest > 0) parts.push(style.paint("dim", `… ${rest} more`));
  const oneLine = `${prefix}${open}${parts.join(", ")}${close}`;
  const fits = !oneLine.includes("\n") && rawLength(argument) <= Math.min(room, 100);
  if (fits) return oneLine;
  const indented = parts.map((part) => `${INDENT}${part.replaceAll("\n", `\n${INDENT}`)}`);
  return `${prefix}${open}\n${indented.join(",\n")}\n${close}`;
}

/** A rough length of an argument on one line, without making the line. */
function rawLength(argument: ConsoleArgument): number {
  if (argument.type === "array" || argument.type === "object") {
    if (typeof argument.value === "string") return argument.value.length;
    let length = 2 + (argument.className?.length ?? 0);
    for (const [key, member] of Object.entries(argument.value)) {
      length += rawLength(member) + 2 + (argument.type === "object" ? key.length + 2 : 0);
      if (length > 1_000) break;
    }
    return length;
  }
  return "value" in argument ? String(argument.value).length + 2 : 10;
}

/** Cuts a text to some room, with a mark. A surrogate pair is not cut in half. */
export function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  const end = Math.max(1, room - 1);
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$/, "")}…`;
}
