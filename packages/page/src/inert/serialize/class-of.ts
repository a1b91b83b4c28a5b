import { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, mapGet, mapSet, NativeMap } from "../natives.js";

/** What an object is to the reader of a console; everything else is an object with members. */
export type Kind =
  | "array"
  | "bigint"
  | "boolean"
  | "buffer"
  | "date"
  | "error"
  | "event"
  | "exception"
  | "map"
  | "node"
  | "number"
  | "opaque"
  | "regexp"
  | "set"
  | "string"
  | "symbol"
  | "typed"
  | "url"
  | "window";

/** Each class with its kind; those with the same name in small letters need none. */
const CLASSES =
  "Array BigInt Boolean Date Error Event Map Node Number RegExp Set String Symbol URL Window ArrayBuffer:buffer SharedArrayBuffer:buffer DOMException:exception TypedArray:typed Promise:opaque WeakMap:opaque WeakRef:opaque WeakSet:opaque".split(
    " ",
  );

const kindOfPrototype: Map<unknown, Kind> = new NativeMap();
const kindOfName: Map<unknown, Kind> = new NativeMap();
for (const entry of CLASSES) {
  const [name = "", kind = name.toLowerCase() as Kind] = entry.split(":") as [string, Kind?];
  const owner =
    name === "TypedArray"
      ? Reflect.getPrototypeOf(Uint8Array)
      : (globalThis as unknown as Record<string, unknown>)[name];
  const prototype = typeof owner === "function" ? (owner as { prototype?: unknown }).prototype : undefined;
  if (prototype) mapSet(kindOfPrototype, prototype, kind);
  mapSet(kindOfName, name, kind);
}
export const OBJECT_PROTOTYPE = Object.prototype;
export const ARRAY_PROTOTYPE = Array.prototype;

/** Longer chains than this are a trap. */
const MAX_ANCESTORS = 30;

/**
 * What an object claims to be, from its chain of prototypes. Objects of other frames have other prototypes with the
 * same names. A claim only: `Object.create(Map.prototype)` is no map, so callers must expect to fail.
 */
export function kindOf(value: object): Kind | undefined {
  let prototype = getPrototypeOf(value);
  for (let i = 0; prototype !== null && prototype !== OBJECT_PROTOTYPE && i < MAX_ANCESTORS; i++) {
    const known = mapGet(kindOfPrototype, prototype);
    if (known) return known;
    const named = mapGet(kindOfName, constructorName(prototype));
    if (named) return named;
    prototype = getPrototypeOf(prototype);
  }
  return undefined;
}

/** Name of the class of an object, or "" when it has none. */
export function classNameOf(value: object): string {
  const prototype = getPrototypeOf(value);
  if (prototype === null) return "";
  if (prototype === OBJECT_PROTOTYPE) return "Object";
  return (
    constructorName(prototype) ||
    (typeof dataOf(value, "constructor") === "function" ? nameOfConstructor(value) : "")
  );
}

function nameOfConstructor(value: object): string {
  return functionName(dataOf(value, "constructor") as object);
}

function constructorName(prototype: object): string {
  const made = ownData(prototype, "constructor");
  return typeof made === "function" ? functionName(made) : "";
}

export function functionName(fn: object): string {
  const name = ownData(fn, "name");
  return typeof name === "string" ? name : "";
}

/** The value of an own property that is data; a getter is not called. */
export function ownData(owner: object, key: PropertyKey): unknown {
  const described = getOwnPropertyDescriptor(owner, key);
  return described && hasOwn(described, "value") ? described.value : undefined;
}

/** The same along the chain of prototypes. */
export function dataOf(owner: object, key: PropertyKey): unknown {
  let at: object | null = owner;
  for (let i = 0; at !== null && i < MAX_ANCESTORS; i++) {
    const described = getOwnPropertyDescriptor(at, key);
    if (described) return hasOwn(described, "value") ? described.value : undefined;
    at = getPrototypeOf(at);
  }
  return undefined;
}
