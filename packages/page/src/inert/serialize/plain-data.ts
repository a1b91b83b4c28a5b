import type { ConsoleArgument } from "@debug-bridge/protocol";
import { keysOf, putAt, stringify } from "../natives.js";

/**
 * A serialised value as plain data that JSON can hold. What JSON has no form for becomes text.
 *
 * @example plainData({ type: "number", value: "12n" }) // "12n"
 */
export function plainData(argument: ConsoleArgument): unknown {
  switch (argument.type) {
    case "null":
      return null;
    case "number":
      return argument.value === "-0" ? 0 : argument.value;
    case "string":
    case "boolean":
      return argument.value;
    case "array":
      return typeof argument.value === "string" ? argument.value : items(argument.value, argument.omitted);
    case "object":
      return typeof argument.value === "string" ? argument.value : members(argument.value, argument.omitted);
    case "function":
      return `[Function ${argument.name || "anonymous"}]`;
    case "error":
      return argument.stack ?? argument.value;
    case "undefined":
      return "undefined";
    default:
      return argument.value ?? "[Circular]";
  }
}

/** A serialised value as one text: a string as it is, an error with its stack, objects as JSON. */
export function plainText(argument: ConsoleArgument): string {
  if (argument.type === "number") return `${argument.value}`;
  const data = plainData(argument);
  return typeof data === "string" ? data : (stringify(data) ?? "undefined");
}

function items(list: readonly ConsoleArgument[], omitted: number | undefined): unknown[] {
  const out: unknown[] = [];
  for (let i = 0; i < list.length; i++) putAt(out, i, plainData(list[i] as ConsoleArgument));
  if (omitted) putAt(out, out.length, `… [${omitted} more items]`);
  return out;
}

function members(record: Record<string, ConsoleArgument>, omitted: number | undefined): object {
  const out = {};
  const keys = keysOf(record);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    putAt(out, key, plainData(record[key] as ConsoleArgument));
  }
  if (omitted) putAt(out, "…", `[${omitted} more keys]`);
  return out;
}
