import fc from "fast-check";
import { awkwardString, awkwardValue } from "./text.js";

const LINE_BREAK = "\r\n";

type Path = readonly (string | number)[];
type Json = unknown;

interface Change {
  readonly kind: "drop" | "retype" | "duplicate" | "splice" | "add" | "rename";
  readonly at: number;
  readonly value: Json;
  readonly key: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom<Change["kind"]>("drop", "retype", "duplicate", "splice", "add", "rename"),
  at: fc.nat(),
  value: awkwardValue,
  key: awkwardString,
});

interface Spelling {
  readonly kind: "plain" | "lines" | "truncate" | "tail" | "twice" | "spaces" | "repeatKey" | "proto";
  readonly at: number;
}

const spelling: fc.Arbitrary<Spelling> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Spelling["kind"]>("plain") },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Spelling["kind"]>(
        ...(["lines", "truncate", "tail", "twice", "spaces", "repeatKey", "proto"] as const),
      ),
    },
  ),
  at: fc.nat(),
});

/** Layer 2: messages that were valid before members were dropped, duplicated, retyped, spliced or cut. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc
    .tuple(valid, valid, fc.array(change, { maxLength: 3 }), spelling)
    .map(([message, other, changes, how]) =>
      spell(
        changes.reduce<Json>((value, each) => apply(value, each, other), message),
        how,
      ),
    );
}

/** Valid messages, written in every way that JSON allows: with line breaks, spaces and escapes. */
export function spelled(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const kinds = fc.constantFrom<Spelling["kind"]>("plain", "lines", "spaces");
  return fc.tuple(valid, kinds).map(([message, kind]) => spell(message, { kind, at: 0 }));
}

function paths(value: Json, prefix: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [prefix];
  const below = Array.isArray(value)
    ? value.flatMap((item, index) => paths(item, [...prefix, index]))
    : Object.entries(value).flatMap(([key, member]) => paths(member, [...prefix, key]));
  return [prefix, ...below];
}

function apply(message: Json, { kind, at, value, key }: Change, other: Json): Json {
  const all = paths(message).filter((path) => path.length > 0);
  const path = all[at % Math.max(1, all.length)];
  if (!path) return kind === "retype" ? value : message;
  const replacement = kind === "splice" ? pick(other, at) : value;
  return edit(message, path, kind, replacement, key);
}

function pick(other: Json, at: number): Json {
  const all = paths(other);
  return (all[at % all.length] as Path).reduce<Json>((value, step) => (value as never)[step], other);
}

function edit(
  value: Json,
  [step, ...rest]: Path,
  kind: Change["kind"],
  replacement: Json,
  key: string,
): Json {
  if (Array.isArray(value)) {
    const items = [...value];
    const index = step as number;
    if (rest.length > 0) items[index] = edit(items[index], rest, kind, replacement, key);
    else if (kind === "drop") items.splice(index, 1);
    else if (kind === "duplicate") items.splice(index, 0, items[index]);
    else items[index] = replacement;
    return items;
  }
  const entries = Object.entries(value as object).flatMap<[string, Json]>(([name, member]) => {
    if (name !== step) return [[name, member]];
    if (rest.length > 0) return [[name, edit(member, rest, kind, replacement, key)]];
    if (kind === "drop") return [];
    if (kind === "rename") return [[key, member]];
    if (kind === "add") return [[name, member] as [string, Json], [key, replacement]];
    return [[name, kind === "duplicate" ? [member, member] : replacement]];
  });
  return Object.fromEntries(entries);
}

function spell(value: Json, { kind, at }: Spelling): string {
  const text = JSON.stringify(value) ?? "null";
  switch (kind) {
    case "lines":
      return withLineBreaks(value);
    case "spaces":
      return ` \t${withLineBreaks(value)}${LINE_BREAK} `;
    case "truncate":
      return text.slice(0, at % (text.length + 1));
    case "tail":
      return `${text}${["\u0000", "}", "//", "\u2028", "{}"][at % 5]}`;
    case "twice":
      return text + text;
    case "repeatKey":
      return text.replace(/^\{("(?:[^"\\]|\\.)*":)/, (whole, key: string) => `{${key}null,${whole.slice(1)}`);
    case "proto":
      return text.replace(/^\{(?=.)/, '{"__proto__":{"type":"hello","polluted":true},');
    default:
      return text;
  }
}

/** Every member on a separate line. */
function withLineBreaks(value: Json): string {
  const text = JSON.stringify(value, null, "\t") ?? "null";
  return text.replaceAll("\n", LINE_BREAK);
}
