import {
  captureStackTrace,
  getOwnPropertyDescriptor,
  hasOwn,
  indexOfText,
  matchOf,
  NativeError,
  sliceText,
} from "./natives.js";
import { maskText } from "./secrets.js";
import { cut, quote } from "./text.js";

const FRAME = /(?:\(|at (?:async )?)([^()\s]+):(\d+):(\d+)\)?$/;
const URL_LENGTH = 2_000;
const TRACE_FRAMES = 50;

/**
 * The stack above `until`, a function that is being called, with at most `frames` frames. The page's own limit and
 * formatter are put aside for the moment, so that it neither notices nor decides. Where it made them read-only or
 * accessors there is no stack.
 */
function stackAbove(until: unknown, frames: number): string | undefined {
  const limit = getOwnPropertyDescriptor(NativeError, "stackTraceLimit");
  if (!limit || !hasOwn(limit, "value") || !limit.writable) return undefined;
  const formatter = getOwnPropertyDescriptor(NativeError, "prepareStackTrace");
  if (formatter && (!hasOwn(formatter, "value") || !formatter.writable)) return undefined;
  const holder = { __proto__: null } as unknown as { stack?: string };
  NativeError.stackTraceLimit = frames;
  if (formatter) NativeError.prepareStackTrace = undefined;
  captureStackTrace(holder, until);
  const { stack } = holder;
  NativeError.stackTraceLimit = limit.value;
  if (formatter) NativeError.prepareStackTrace = formatter.value;
  return typeof stack === "string" ? sliceText(stack, indexOfText(stack, "\n") + 1) : undefined;
}

/** Where a hooked function was called, as the JSON text of a `location`; `undefined` when that is not known. */
export function callerLocation(until: unknown): string | undefined {
  const frame = stackAbove(until, 1);
  const match = frame === undefined ? null : matchOf(FRAME, frame);
  return match === null
    ? undefined
    : locationText(match[1] as string, match[2] as string, match[3] as string);
}

export function locationText(url: string, line: number | string, column: number | string): string {
  return `{"url":${quote(maskText(cut(url, URL_LENGTH)))},"line":${line},"column":${column}}`;
}

/** The whole stack, for `console.trace`. */
export function callerStack(until: unknown): string | undefined {
  return stackAbove(until, TRACE_FRAMES);
}
