import { z } from "zod";
import { FIELD_LIMITS } from "../limits.js";

/**
 * Makes a field that accepts ordinary values by one test of ours. zod runs a list of checks for each string, which costs more than the
 * checks themselves, and there are many strings in every message. What the test does not accept is checked by zod as before;
 * so is what only describes the schema.
 */
export function withFastPath<Schema extends z.ZodType>(
  schema: Schema,
  accepts: (value: unknown) => boolean,
): Schema {
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => (accepts(payload.value) ? payload : run(payload, context));
  return schema;
}

/** Text of at most so many characters. */
function textOf(max: number): z.ZodString {
  return withFastPath(z.string().max(max), (value) => typeof value === "string" && value.length <= max);
}

const ORDINARY_ID = /^[\w:-][\w:.-]{0,255}$/;

/**
 * An identifier: printable, short, and safe to use as part of a file name or a URL path. It has no control characters
 * (C0, DEL, C1), no line separators, nothing that changes the direction of text, and no half of a surrogate pair.
 */
export const idField = withFastPath(
  z
    .string()
    .regex(
      /^(?!\.{1,2}$)(?:[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069/\\\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff]){1,256}$/,
      "must be 1 to 256 characters without control characters, / and \\",
    ),
  (value) => typeof value === "string" && ORDINARY_ID.test(value),
);

export const urlField = textOf(FIELD_LIMITS.url);
export const lineField = textOf(FIELD_LIMITS.line);
/** A line that is not empty. */
export const filledLineField = withFastPath(
  z.string().max(FIELD_LIMITS.line).min(1),
  (value) => typeof value === "string" && value.length > 0 && value.length <= FIELD_LIMITS.line,
);
export const textField = textOf(FIELD_LIMITS.text);
export const blobField = textOf(FIELD_LIMITS.blob);

/** Milliseconds since the epoch. */
export const epochField = z.number().min(0);
const MAX_DURATION_MS = 86_400_000;
/** A span of time in milliseconds. */
export const durationField = withFastPath(
  z.number().min(0).max(MAX_DURATION_MS),
  (value) => typeof value === "number" && value >= 0 && value <= MAX_DURATION_MS,
);
export const countField = z.int().min(0);

/** The form in which `Date.prototype.toISOString` writes most days. */
const ORDINARY_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
export const isoField = withFastPath(
  z.iso.datetime({ offset: true }),
  (value) => typeof value === "string" && ORDINARY_TIME.test(value),
);

/**
 * A ref names an element for as long as it stays the same element: `e12`, or `f2e12` in a frame of another origin. `f2`
 * is that whole frame.
 */
export const refField = z
  .string()
  .regex(
    /^(?:f[1-9]\d{0,3}(?:e[1-9]\d{0,8})?|e[1-9]\d{0,8})$/,
    'a ref looks like "e12"; take it from the newest observation',
  );
