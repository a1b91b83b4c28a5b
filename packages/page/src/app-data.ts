import type { ConsoleArgument } from "@debug-bridge/protocol";
import { parse } from "./inert/natives.js";
import { plainData, plainText } from "./inert/serialize/plain-data.js";
import { serialize } from "./inert/serialize/serialize.js";
import {
  type Censor,
  createBudget,
  type SerializeLimits,
  type SerializeOptions,
} from "./inert/serialize/serialize-budget.js";
import { cut } from "./inert/text.js";

/** For values that the app itself provides: its state, the results of code and tools. */
const DATA_LIMITS: SerializeLimits = {
  room: 1_500_000,
  ms: 2_000,
  depth: 24,
  keys: 20_000,
  items: 20_000,
  string: 65_536,
};
const RESULT_LIMITS: SerializeLimits = { ...DATA_LIMITS, string: 1_000_000 };

/** Changes nothing: for values that are masked later, in another world. */
const UNCENSORED: Censor = {
  hides: () => false,
  fit: cut,
};

function read(value: unknown, options: SerializeOptions): ConsoleArgument {
  return parse(serialize(value, createBudget(options))) as ConsoleArgument;
}

/**
 * A value of the app as data that JSON can hold: no cycles, no functions, bounded in depth, count and length. Getters
 * and `toJSON` of the app are called, as `JSON.stringify` does, and what they throw becomes text.
 *
 * @example toData({ when: new Date(0), self: window }) // { when: "1970-01-01T00:00:00.000Z", self: "Window" }
 */
export function toData(value: unknown, censor: Censor = UNCENSORED): unknown {
  return plainData(read(value, { censor, live: true, valueLimits: DATA_LIMITS }));
}

/** The result of code or of a tool as one text: a string as it is, an error with its stack, the rest as JSON. */
export function toResultText(value: unknown, censor: Censor = UNCENSORED): string {
  return plainText(read(value, { censor, live: true, valueLimits: RESULT_LIMITS }));
}

/** The message of whatever was thrown; `unknown_error` when it has none. */
export function describeError(thrown: unknown): string {
  try {
    const message = (thrown as { message?: unknown } | null | undefined)?.message ?? thrown;
    const text = typeof message === "object" ? "" : String(message);
    return text === "" || text === "undefined" || text === "null" ? "unknown_error" : text;
  } catch {
    return "unknown_error";
  }
}

/** The stack as text. An app may have its own `Error.prepareStackTrace`, which returns anything, or throws. */
export function stackOf(error: unknown): string {
  try {
    const { stack } = error as Error;
    return typeof stack === "string" ? stack : "";
  } catch {
    return "";
  }
}
