import type { z } from "zod";
import { BridgeError, type ErrorCode } from "../errors.js";
import type { MessageLimits } from "../limits.js";
import { utf8Length } from "../text/text.js";

export type Decoded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: BridgeError };

/** Below this length no text can nest or list enough to hurt, so the scan is not worth its time. */
const SCAN_ABOVE = 4_096;

/**
 * Turns what came over a wire into a checked value: the only way in. Whatever the input, the answer is a value or a
 * BridgeError that names the field; time and memory are bounded by `limits`.
 *
 * @example
 * const decoded = decode(commandSchema, frame, APP_MESSAGE_LIMITS);
 * if (!decoded.ok) return reject(decoded.error);
 */
export function decode<Schema extends z.ZodType>(
  schema: Schema,
  data: string | Uint8Array,
  limits: MessageLimits,
): Decoded<z.output<Schema>> {
  const parsed = parseBounded(data, limits);
  return parsed.ok ? check(schema, parsed.value) : parsed;
}

/** The same for a value that is already parsed. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): Decoded<z.output<Schema>> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, error: toBridgeError(result.error.issues, value) };
}

/** Parses JSON within limits. */
export function parseBounded(data: string | Uint8Array, limits: MessageLimits): Decoded<unknown> {
  if (data.length > limits.bytes) return refuse("too_large", tooLong(data.length, limits));
  let text: string;
  if (typeof data === "string") {
    text = data;
    if (text.length * 3 > limits.bytes && utf8Length(text) > limits.bytes) {
      return refuse("too_large", tooLong(utf8Length(text), limits));
    }
  } else {
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(data);
    } catch {
      return refuse("invalid_message", "the message is not valid UTF-8");
    }
  }
  if (text.length > SCAN_ABOVE) {
    const excess = findExcess(text, limits);
    if (excess) return refuse("too_large", excess);
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (thrown) {
    return refuse(
      "invalid_message",
      `the message is not valid JSON: ${(thrown as Error).message.slice(0, 200)}`,
    );
  }
}

function refuse(code: ErrorCode, message: string): { ok: false; error: BridgeError } {
  return { ok: false, error: new BridgeError(code, message) };
}

function tooLong(bytes: number, limits: MessageLimits): string {
  return `the message has ${bytes} bytes; at most ${limits.bytes} are allowed. Send less, or in parts`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts depth and members without building anything; stops at the first excess. */
function findExcess(text: string, limits: MessageLimits): string | undefined {
  let depth = 0;
  let keys = 0;
  let nodes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > limits.depth) return `the message nests deeper than ${limits.depth} levels; flatten it`;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    } else if (code === 0x3a) {
      if (++keys > limits.keys) return `the message has more than ${limits.keys} keys; send fewer`;
    } else if (code === 0x2c && ++nodes > limits.nodes) {
      return `the message has more than ${limits.nodes} members and items; send fewer`;
    }
  }
  return undefined;
}

/** Index of the quote that ends the string starting at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

type Issue = z.core.$ZodIssue;

function toBridgeError(issues: readonly Issue[], value: unknown): BridgeError {
  const { issue, path } = mostTelling(issues[0], [], value);
  const field = path.map(String).join(".");
  if (issue === undefined) return new BridgeError("invalid_message", "the message does not fit its schema");
  if (issue.code === "invalid_union" && "discriminator" in issue) {
    const found = describe(read(value, path));
    const known =
      "options" in issue && Array.isArray(issue.options) ? `; it knows ${issue.options.join(", ")}` : "";
    return new BridgeError("unknown_type", `${field} is ${found}, which this wire does not know${known}`, {
      field,
    });
  }
  const code: ErrorCode = field === "protocolVersion" ? "unsupported_version" : "invalid_message";
  // Rules about several fields say themselves what is wrong.
  if (field === "" && issue.code === "custom") return new BridgeError(code, issue.message, { field });
  const place = field === "" ? "the message" : field;
  return new BridgeError(code, `${place}: ${issue.message} (found ${describe(read(value, path))})`, {
    field,
  });
}

/** In a union every branch fails; the one that got furthest, at an existing field, was probably meant. */
function mostTelling(
  issue: Issue | undefined,
  prefix: readonly PropertyKey[],
  value: unknown,
): { issue: Issue | undefined; path: readonly PropertyKey[] } {
  if (!issue) return { issue, path: prefix };
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return { issue, path };
  const rank = (at: readonly PropertyKey[]): number =>
    at.length * 2 + (read(value, at) === undefined ? 0 : 1);
  const branches = issue.errors.map((errors) => mostTelling(errors[0], path, value));
  branches.sort((a, b) => rank(b.path) - rank(a.path));
  return branches[0] ?? { issue, path };
}

function read(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string")
    return value.length > 60 ? `a string of ${value.length} characters` : JSON.stringify(value);
  if (typeof value === "object") return Array.isArray(value) ? `an array of ${value.length}` : "an object";
  return String(value);
}
