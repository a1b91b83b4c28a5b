import { fieldsOf, listOf, textOf } from "../fields.js";

const MAX_DEPTH = 20;

/** A console argument, which says the type of each of its parts, as the plain value that a tree shows. */
export function argumentValue(argument: unknown, depth = 0): unknown {
  const { type, value, className, name, stack, cause, omitted, tagName } = fieldsOf(argument);
  if (depth > MAX_DEPTH) return "…";
  switch (type) {
    case "object":
    case "array": {
      if (typeof value === "string") return value;
      const members = Object.entries(fieldsOf(Array.isArray(value) ? { ...value } : value)).map(
        ([key, member]) => [key, argumentValue(member, depth + 1)] as const,
      );
      const more = typeof omitted === "number" ? { "…": `${omitted} more were not captured` } : {};
      if (type === "array" && members.length === listOf(value).length && typeof omitted !== "number")
        return members.map(([, member]) => member);
      const label = textOf(className);
      const named = label === undefined || label === "Object" ? {} : { "(class)": label };
      return { ...named, ...Object.fromEntries(members), ...more };
    }
    case "error":
      return {
        message: value,
        ...(stack === undefined ? {} : { stack }),
        ...(cause === undefined ? {} : { cause: argumentValue(cause, depth + 1) }),
      };
    case "function":
      return `ƒ ${textOf(name) ?? textOf(value) ?? ""}`.trim();
    case "dom":
      return textOf(value) ?? `<${textOf(tagName) ?? "element"}>`;
    case "undefined":
      return "undefined";
    case "circular":
      return "(circular)";
    default:
      return value ?? null;
  }
}
