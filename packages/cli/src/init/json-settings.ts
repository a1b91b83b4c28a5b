import { isDeepStrictEqual } from "node:util";
import { BridgeError, isJsonObject } from "@debug-bridge/protocol";
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";

type Fields = Readonly<Record<string, unknown>>;

const BOM = "\uFEFF";

/**
 * Settings with an entry at this place; comments, order and everything else stay as they are. Fields that somebody added to
 * our entry stay too.
 */
export function withJsonEntry(text: string, path: readonly string[], entry: Fields): string {
  const settings = readSettings(text);
  const known = entryAt(settings, path);
  const wanted = isJsonObject(known) && "command" in known ? { ...known, ...entry } : entry;
  return isDeepStrictEqual(known, wanted) ? text : edited(text, path, wanted);
}

/** Settings without the entry at this place. */
export function withoutJsonEntry(text: string, path: readonly string[]): string {
  return entryAt(readSettings(text), path) === undefined ? text : edited(text, path, undefined);
}

/** What is at this place of settings. */
export function jsonValue(text: string, path: readonly string[]): unknown {
  return entryAt(readSettings(text), path);
}

function edited(text: string, path: readonly string[], entry: Fields | undefined): string {
  const mark = text.startsWith(BOM) ? BOM : "";
  const body = text.slice(mark.length).trim() === "" ? "{}\n" : text.slice(mark.length);
  const indent = /\n([ \t]+)\S/.exec(body)?.[1] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: body.includes("\r\n") ? "\r\n" : "\n",
  };
  const after = applyEdits(body, modify(body, [...path], entry, { formattingOptions }));
  // A file with the same key twice is read in one way and edited in another.
  if (!isDeepStrictEqual(entryAt(readSettings(after), path), entry)) throw unreadable("it names a key twice");
  return mark + after;
}

function readSettings(text: string): Fields {
  const body = text.startsWith(BOM) ? text.slice(BOM.length) : text;
  if (body.trim() === "") return {};
  const errors: ParseError[] = [];
  const settings: unknown = parse(body, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = body.slice(0, error.offset).split("\n").length;
    throw unreadable(`line ${line}: ${printParseErrorCode(error.error)}`);
  }
  if (!isJsonObject(settings)) throw unreadable("it is not an object");
  return settings;
}

function entryAt(settings: Fields, path: readonly string[]): unknown {
  let value: unknown = settings;
  for (const name of path) {
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) throw unreadable(`${JSON.stringify(path[0])} is not an object`);
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

function unreadable(why: string): BridgeError {
  return new BridgeError("invalid_message", `not valid settings (${why})`);
}
