import { RECORD_KINDS, type RecordKind } from "../records/record-facts.js";

/** A shared file, with all that is in it, has at most so many bytes. What does not fit is left out and named. */
export const MAX_SHARED_BYTES = 64_000_000;

/** What is in a shared file, for the person who saves it and for the one who opens it. */
export interface SharedContents {
  readonly name: string;
  readonly kind: string;
  /** ISO 8601 */
  readonly savedAt: string;
  /** The first and the last moment, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Whether only a stretch of the time was chosen. */
  readonly isPart: boolean;
  readonly records: number;
  readonly kinds: Readonly<Partial<Record<RecordKind, number>>>;
  /** Requests and answers whose body is in it. */
  readonly bodies: number;
  /** Places whose code is in it. */
  readonly code: number;
  /** Pictures and other files of the recording. */
  readonly files: number;
  /** When the replay of the DOM begins and ends, if there is one. */
  readonly replay?: { readonly from: number; readonly to: number };
  /** Values that were replaced because they are secret by their name or form, including those that were before. */
  readonly masked: number;
  /** What is not in it, and why. */
  readonly leftOut: readonly string[];
  /** Characters of all of it, without the program that shows it. */
  readonly size: number;
}

/** The parts of a shared file, in their order. Each is a block of lines of JSON. */
export const SHARED_PARTS = ["contents", "code", "records", "files", "replay"] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

/** Id of the element that holds a part. */
export const partId = (part: SharedPart): string => `debug-bridge-${part}`;
/** The whole line before the first line of a part, and the one after its last. */
export const partStart = (part: SharedPart): string =>
  `<script type="application/x-ndjson" id="${partId(part)}">`;
export const PART_END = "</script>";

/** JSON that can be inside a script element: `<` is only ever inside strings, where it may be written so. */
export const asEmbedded = (json: string): string => json.replaceAll("<", "\\u003c");

/** Name under which the code around a place is kept. */
export const placeName = ({
  url,
  line,
  column,
}: {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}): string => `${url}:${line}:${column}`;

/** Reads the contents of a file that may come from anywhere; `undefined` when they are none. */
export function readContents(value: unknown): SharedContents | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Record<string, unknown>;
  const text = (name: string): string => (typeof given[name] === "string" ? (given[name] as string) : "");
  const number = (name: string): number => countOf(given[name]);
  const kinds = (typeof given.kinds === "object" && given.kinds ? given.kinds : {}) as Record<
    string,
    unknown
  >;
  const replay = given.replay as { from?: unknown; to?: unknown } | null | undefined;
  return {
    ...(replay ? { replay: { from: countOf(replay.from), to: countOf(replay.to) } } : {}),
    ...{ name: text("name"), kind: text("kind"), savedAt: text("savedAt"), isPart: given.isPart === true },
    ...{ from: number("from"), to: number("to"), records: number("records"), bodies: number("bodies") },
    ...{ code: number("code"), files: number("files"), masked: number("masked"), size: number("size") },
    kinds: Object.fromEntries(
      RECORD_KINDS.filter((kind) => Object.hasOwn(kinds, kind)).map((kind) => [kind, countOf(kinds[kind])]),
    ),
    leftOut: Array.isArray(given.leftOut)
      ? given.leftOut.filter((each): each is string => typeof each === "string").slice(0, 20)
      : [],
  };
}

const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
