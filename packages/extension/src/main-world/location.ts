import {
  captureStackTrace,
  cut,
  getOwnPropertyDescriptor,
  hasOwn,
  indexOfText,
  mapGet,
  mapSet,
  maskText,
  NativeError,
  NativeMap,
  quote,
  sliceText,
} from "@debug-bridge/page/inert";
import { placeOfFrame } from "./frames.js";

const URL_LENGTH = 2_000;
const TRACE_FRAMES = 50;
/** A program logs from few places, again and again. */
const locations: Map<unknown, string> = new NativeMap();
const MAX_PLACES = 500;
let places = 0;

/**
 * Runs `run` with another limit of stack frames and without the page's own formatter, so that the page neither notices
 * nor interferes. When the page made those read-only, or accessors, `run` does not run.
 */
export function withStackSettings<Result>(
  limitFor: (limit: number) => number,
  run: (limit: number) => Result,
): Result | undefined {
  const limit = getOwnPropertyDescriptor(NativeError, "stackTraceLimit");
  if (!limit || !hasOwn(limit, "value") || !limit.writable) return undefined;
  const formatter = getOwnPropertyDescriptor(NativeError, "prepareStackTrace");
  if (formatter && (!hasOwn(formatter, "value") || !formatter.writable)) return undefined;
  const frames = typeof limit.value === "number" ? limit.value : 0;
  NativeError.stackTraceLimit = limitFor(frames);
  if (formatter) NativeError.prepareStackTrace = undefined;
  try {
    return run(frames);
  } finally {
    NativeError.stackTraceLimit = limit.value;
    if (formatter) NativeError.prepareStackTrace = formatter.value;
  }
}

/** The stack above `until`, a function that is being called, with at most `frames` frames. */
function stackAbove(until: unknown, frames: number): string | undefined {
  return withStackSettings(
    () => frames,
    () => {
      const holder = { __proto__: null } as unknown as { stack?: string };
      captureStackTrace(holder, until);
      const { stack } = holder;
      return typeof stack === "string" ? sliceText(stack, indexOfText(stack, "\n") + 1) : undefined;
    },
  );
}

/** Where a hooked function was called, as the JSON text of a `location`; `undefined` when that is not known. */
export function callerLocation(until: unknown): string | undefined {
  const frame = stackAbove(until, 1);
  if (frame === undefined) return undefined;
  const known = mapGet(locations, frame);
  if (known !== undefined) return known;
  const place = placeOfFrame(frame);
  if (place === undefined) return undefined;
  const location = locationText(place.url, place.line, place.column);
  if (++places <= MAX_PLACES) mapSet(locations, frame, location);
  return location;
}

export function locationText(url: string, line: number | string, column: number | string): string {
  return `{"url":${quote(maskText(cut(url, URL_LENGTH)))},"line":${line},"column":${column}}`;
}

/** The whole stack, for `console.trace`. */
export function callerStack(until: unknown): string | undefined {
  return stackAbove(until, TRACE_FRAMES);
}
