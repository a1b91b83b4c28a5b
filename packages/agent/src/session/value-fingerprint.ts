import { jsonOf } from "./event-writer.js";

/** The JSON of a value that is not plain data. */
class SerializedValue {
  constructor(readonly json: string | undefined) {}
}

/** The members of an object, in order. */
class Members {
  constructor(
    readonly keys: readonly string[],
    readonly values: readonly unknown[],
  ) {}
}

/**
 * Remembers the content of a value, to detect later whether another value has the same content. Strings are shared with
 * the value, and comparing a string with itself is free, so a long conversation costs its number of messages and not
 * their length. Changes in place are detected.
 */
export class ValueFingerprint {
  private readonly copy: unknown;

  constructor(value: unknown) {
    this.copy = guarded(() => copyOf(value)) ?? new SerializedValue(jsonOf(value));
  }

  matches(value: unknown): boolean {
    return guarded(() => isSame(this.copy, value)) ?? false;
  }
}

function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return value.slice();
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPlain(value)) return new SerializedValue(jsonOf(value));
  const keys = Object.keys(value);
  return new Members(
    keys,
    keys.map((key) => copyOf((value as Record<string, unknown>)[key])),
  );
}

function isSame(copy: unknown, value: unknown): boolean {
  if (typeof copy !== "object" || copy === null) return Object.is(copy, value);
  if (copy instanceof SerializedValue) return copy.json === jsonOf(value);
  if (typeof value !== "object" || value === null) return false;
  if (copy instanceof Uint8Array) return value instanceof Uint8Array && Buffer.compare(copy, value) === 0;
  if (Array.isArray(copy)) return Array.isArray(value) && areSame(copy, value);
  return (
    !Array.isArray(value) && isPlain(value) && hasMembers(value as Record<string, unknown>, copy as Members)
  );
}

function hasMembers(value: Readonly<Record<string, unknown>>, { keys, values }: Members): boolean {
  let at = 0;
  for (const key of Object.keys(value)) {
    if (key !== keys[at] || !isSame(values[at], value[key])) return false;
    at++;
  }
  return at === keys.length;
}

function areSame(copies: readonly unknown[], values: readonly unknown[]): boolean {
  return copies.length === values.length && copies.every((copy, i) => isSame(copy, values[i]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    typeof (value as { toJSON?: unknown }).toJSON !== "function"
  );
}

/** Values may contain themselves or throw when they are read. Neither may reach the agent. */
function guarded<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
