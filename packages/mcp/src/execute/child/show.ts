import { inspect } from "node:util";

export const MAX_LINE = 10_000;
const INSPECT = { depth: 6, maxArrayLength: 200, maxStringLength: MAX_LINE, breakLength: 120 } as const;

/** A value as text. */
export function show(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    const json = JSON.stringify(value);
    // Maps, pages and functions, which JSON loses, are shown the way Node prints them.
    if (json !== undefined && isPlain(value)) return json;
  } catch {
    // Cycles and bigints: printed below.
  }
  return inspect(value, INSPECT);
}

function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return value !== undefined && typeof value !== "function";
  if (depth > 20) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  const name = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor
    ?.name;
  return (
    (name === undefined || name === "Object") &&
    Object.values(value).every((item) => isPlain(item, depth + 1))
  );
}

/** What was thrown, with the line of the code. */
export function explain(thrown: unknown): string {
  const { name, message, stack } = (thrown ?? {}) as Error;
  if (message === undefined) return inspect(thrown, INSPECT);
  const place = /execute\.js:(\d+)/.exec(stack ?? "");
  return `${name ?? "Error"}: ${message}${place ? ` (line ${place[1]})` : ""}`;
}
