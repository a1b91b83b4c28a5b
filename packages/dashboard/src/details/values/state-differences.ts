export interface Difference {
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  readonly text: string;
}

const MAX_DEPTH = 30;
const MAX_TEXT = 200;

const isBranch = (value: unknown): value is object => typeof value === "object" && value !== null;
const shorten = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
};

/** What is different between two states, by path. */
export function differences(before: unknown, after: unknown, path = "", depth = 0): Difference[] {
  if (
    !isBranch(before) ||
    !isBranch(after) ||
    Array.isArray(before) !== Array.isArray(after) ||
    depth > MAX_DEPTH
  ) {
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [{ path, kind: "changed", text: `${shorten(before)} → ${shorten(after)}` }];
  }
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key): Difference[] => {
    const at = path === "" ? key : `${path}.${key}`;
    if (!Object.hasOwn(now, key)) return [{ path: at, kind: "removed", text: shorten(old[key]) }];
    if (!Object.hasOwn(old, key)) return [{ path: at, kind: "added", text: shorten(now[key]) }];
    return differences(old[key], now[key], at, depth + 1);
  });
}
