import type { SourceLocation } from "../console/record.js";
import { recordLine } from "./record-line.js";
import { servedNote } from "./served-note.js";

const MAX_FRAMES = 100;
const FRAME = /((?:https?|file|webpack|webpack-internal):\/\/\S+?):(\d+):(\d+)\)?$/;
const NOT_OF_APP = /\/node_modules\/|\/@(?:vite|debug-bridge)\/|\/\.vite\//;

/** Where the code at a place of a served file was written, if that is known. */
export type Written = (place: SourceLocation) => Promise<SourceLocation | undefined>;
/** The same for a record: of an error the first frame that is the app's counts. */
export type LocateWritten = (
  location: SourceLocation,
  stack: string | undefined,
) => Promise<SourceLocation | undefined>;

/** Where the code behind a record was written; `undefined` when it has no place, or nothing says it. */
export async function placeOfRecord(
  record: { readonly type: string; readonly data?: unknown },
  locate: LocateWritten,
): Promise<SourceLocation | undefined> {
  const { location } = recordLine(record);
  return location && locate(location, stackOf(record));
}

/** Where code was written: by the first frame of a stack that is the app's, else by its place. */
export async function writtenPlace(
  location: SourceLocation,
  stack: string | undefined,
  written: Written,
): Promise<SourceLocation | undefined> {
  const own = stack === undefined ? undefined : await firstOfApp(stack, written);
  const place = own ? own.place : await written(location);
  return place && { ...location, ...place };
}

/** The first frame of a stack that is not in a package, and where it was written, if that is known. */
export async function firstOfApp(
  stack: string,
  written: Written,
): Promise<{ readonly place: SourceLocation | undefined } | undefined> {
  for (const line of stack.split("\n").slice(0, MAX_FRAMES)) {
    const [, url = "", at, column] = FRAME.exec(line) ?? [];
    if (url === "") continue;
    const runs = { url, line: Number(at), column: Number(column) };
    const found = await written(runs);
    if (NOT_OF_APP.test((found ?? runs).url)) continue;
    // A script without a map may be what was written; a compiled file is not.
    return { place: found ?? (servedNote(url) === "" ? runs : undefined) };
  }
  return undefined;
}

/**
 * The stack of an error, also of one that the app prints. Frameworks catch errors and throw or print them themselves, so that
 * the place of the last throw, or of the call, is not the app's.
 */
function stackOf({ type, data }: { readonly type: string; readonly data?: unknown }): string | undefined {
  const { stack, values } = (data ?? {}) as { stack?: unknown; values?: unknown };
  if (type === "error" || type === "unhandledrejection") return text(stack);
  if (type !== "console" || !Array.isArray(values)) return undefined;
  return text((values.find((value) => value?.type === "error") as { stack?: unknown } | undefined)?.stack);
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
