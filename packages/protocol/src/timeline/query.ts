import { BridgeError } from "../errors.js";
import { wholeNumber } from "../input/whole-number.js";
import { RECORD_KINDS, RECORD_LEVELS } from "../records/record-facts.js";
import type { PageStart } from "./paged-timeline.js";
import type { RowFilter } from "./row-list.js";

const MAX_TEXT = 200;
const MAX_EXCEPT = 500;

/** Reads one member of a query. */
export type Query = (name: string) => string | undefined;

/** The filter of a query; throws for what it does not know. */
export function readFilter(query: Query): RowFilter {
  const number = (name: string): number | undefined =>
    query(name) === undefined ? undefined : wholeNumber(query(name), name, 0);
  const text = query("text")?.trim().slice(0, MAX_TEXT).toLowerCase();
  return withoutUndefined({
    kinds: readKinds(query("kinds")),
    level: readLevel(query("level")),
    text: text === "" ? undefined : text,
    cause: number("cause"),
    from: number("from"),
    to: number("to"),
    folded: query("folded") === undefined ? undefined : true,
    except: readExcept(query("except")),
  });
}

/** Where the page begins: `offset`, `around` a sequence, or the newest rows. */
export function readStart(query: Query): PageStart {
  if (query("around") !== undefined) return { around: wholeNumber(query("around"), "around", 0) };
  if (query("offset") !== undefined) return { offset: wholeNumber(query("offset"), "offset", 0) };
  return "end";
}

function readKinds(text: string | undefined): boolean[] | undefined {
  if (text === undefined) return undefined;
  const wanted = text.split(",").filter((kind) => kind !== "");
  const unknown = wanted.find((kind) => !(RECORD_KINDS as readonly string[]).includes(kind));
  if (unknown !== undefined) throw unknownValue("kinds", unknown, RECORD_KINDS);
  return RECORD_KINDS.map((kind) => wanted.includes(kind));
}

function readLevel(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const level = (RECORD_LEVELS as readonly string[]).indexOf(text);
  if (level === -1) throw unknownValue("level", text, RECORD_LEVELS);
  return level;
}

function readExcept(text: string | undefined): Set<number> | undefined {
  if (text === undefined || text === "") return undefined;
  const sequences = text.split(",");
  if (sequences.length > MAX_EXCEPT)
    throw new BridgeError("invalid_message", `except may name at most ${MAX_EXCEPT} sequences`, {
      field: "except",
    });
  return new Set(sequences.map((sequence) => wholeNumber(sequence, "except", 0)));
}

function unknownValue(field: string, value: string, known: readonly string[]): BridgeError {
  return new BridgeError(
    "invalid_message",
    `${field} names ${JSON.stringify(value.slice(0, 100))}; use ${known.join(", ")}`,
    { field },
  );
}

function withoutUndefined(filter: { [Key in keyof RowFilter]: RowFilter[Key] | undefined }): RowFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
