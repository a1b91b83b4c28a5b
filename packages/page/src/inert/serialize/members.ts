import {
  apply,
  getOwnPropertyDescriptor,
  getOwnPropertySymbols,
  getterOf,
  keysOf,
  NativeWeakMap,
  now,
  putAt,
  uncurry,
  weakGet,
  weakSet,
} from "../natives.js";
import { classNameOf } from "./class-of.js";

export interface Member {
  readonly name: string;
  readonly value: unknown;
}

interface Listed<Item> {
  readonly list: Item[];
  readonly total: number;
}

const mapSize = /* @__PURE__ */ getterOf<number>(Map.prototype, "size");
const setSize = /* @__PURE__ */ getterOf<number>(Set.prototype, "size");
const entriesOf = /* @__PURE__ */ uncurry(Map.prototype.entries) as (
  self: unknown,
) => Iterator<[unknown, unknown]>;
const valuesOf = /* @__PURE__ */ uncurry(Set.prototype.values) as (self: unknown) => Iterator<unknown>;
const nextOf = (iterator: Iterator<unknown>): (() => IteratorResult<unknown>) => iterator.next;
const nextEntry = nextOf(new Map().entries());
const nextItem = nextOf(new Set().values());
const typedLength = /* @__PURE__ */ getterOf<number>(
  Reflect.getPrototypeOf(Uint8Array.prototype) as object,
  "length",
);

/**
 * Enumerating an object that serves as a table of a million keys takes V8 a third of a second, for it sorts them all.
 * To look for symbols it only passes over them, which is ten times as fast: when even that takes this long, the keys are
 * not listed. Asked a second time, so that one pause of the collector does not look like a large object.
 */
const LARGE_MS = 1.5;

/** How often an object was found to be too large. After the second time it is not looked at again. */
const large: WeakMap<object, number> = new NativeWeakMap();
const SURE = 2;

/** Names of the enumerable members, symbols last; `undefined` when they take too long to list. */
export function keyList(value: object): readonly PropertyKey[] | undefined {
  const found = weakGet(large, value) ?? 0;
  if (found >= SURE) return undefined;
  let started = now();
  const symbols = getOwnPropertySymbols(value);
  let took = now() - started;
  if (took > LARGE_MS && took < 10 * LARGE_MS) {
    started = now();
    getOwnPropertySymbols(value);
    took = now() - started;
  }
  if (took > LARGE_MS) {
    weakSet(large, value, found + 1);
    return undefined;
  }
  const keys: PropertyKey[] = keysOf(value);
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i] as symbol;
    if (getOwnPropertyDescriptor(value, symbol)?.enumerable) putAt(keys, keys.length, symbol);
  }
  return keys;
}

/** Entries of a map by the text of their keys; two keys with the same text are distinguished by a number. */
export function mapEntries(value: object, max: number): Listed<Member> {
  return collect(mapSize(value), entriesOf(value), nextEntry, max, (entry, index) => ({
    name: keyText(entry[0], index),
    value: entry[1],
  }));
}

function collect<Value, Item>(
  total: number,
  iterator: Iterator<Value>,
  next: () => IteratorResult<unknown>,
  max: number,
  itemOf: (value: Value, index: number) => Item,
): Listed<Item> {
  const list: Item[] = [];
  for (let i = 0; i < total && i < max; i++) {
    const { value, done } = apply(next, iterator, []) as IteratorResult<Value>;
    if (done) break;
    putAt(list, i, itemOf(value, i));
  }
  return { list, total };
}

function keyText(key: unknown, index: number): string {
  switch (typeof key) {
    case "string":
      return key;
    case "object":
      return key === null ? "null" : `[${classNameOf(key) || "Object"} ${index + 1}]`;
    case "function":
      return `[Function ${index + 1}]`;
    case "symbol":
      return `[Symbol ${index + 1}]`;
    default:
      return `${key as number}`;
  }
}

export function setItems(value: object, max: number): Listed<unknown> {
  return collect(setSize(value), valuesOf(value), nextItem, max, (item) => item);
}

export function typedItems(value: object, max: number): Listed<unknown> {
  const total = typedLength(value);
  const list: unknown[] = [];
  for (let i = 0; i < total && i < max; i++) putAt(list, i, (value as Record<number, unknown>)[i]);
  return { list, total };
}
