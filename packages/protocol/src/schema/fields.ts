import { z } from "zod";
import { FIELD_LIMITS } from "../limits.js";

/**
 * An identifier: printable, short, and safe to use as part of a file name or a URL path. It has no control characters
 * (C0, DEL, C1), no line separators, nothing that changes the direction of text, and no half of a surrogate pair. One
 * expression checks all of it, since ids are in every message and each further check costs; nearly all ids match its
 * first half.
 */
export const idField = z
  .string()
  .regex(
    /^(?:[\w:-][\w:.-]{0,255}|(?!\.{1,2}$)(?:[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069/\\\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff]){1,256})$/,
    "must be 1 to 256 characters without control characters, / and \\",
  );

export const urlField = z.string().max(FIELD_LIMITS.url);
export const lineField = z.string().max(FIELD_LIMITS.line);
export const textField = z.string().max(FIELD_LIMITS.text);
export const blobField = z.string().max(FIELD_LIMITS.blob);

/** Milliseconds since the epoch. */
export const epochField = z.number().min(0);
/** A span of time in milliseconds. */
export const durationField = z.number().min(0).max(86_400_000);
export const countField = z.int().min(0);
export const isoField = z.iso.datetime({ offset: true });

/** A ref names an element for as long as it stays the same element: `e12`. */
export const refField = z
  .string()
  .regex(/^e[1-9]\d{0,8}$/, 'a ref looks like "e12"; take it from the newest observation');
