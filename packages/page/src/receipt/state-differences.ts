import { platform } from "../inert/platform.js";

export interface StateChange {
  readonly scope: string;
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Where two states differ, as paths to the smallest differing parts.
 *
 * @example differences({ cart: { count: 1 } }, { cart: { count: 2 } }) // [{ scope: "cart", path: "count", before: 1, after: 2 }]
 */
export function differences(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  most = 50,
): StateChange[] {
  const found: StateChange[] = [];
  const visit = (scope: string, path: string, a: unknown, b: unknown): void => {
    if (found.length >= most || platform.stringify(a) === platform.stringify(b)) return;
    if (!isObject(a) || !isObject(b)) {
      found.push({ scope, path, before: a ?? null, after: b ?? null });
      return;
    }
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      visit(scope, path === "" ? key : `${path}.${key}`, a[key], b[key]);
  };
  for (const scope of new Set([...Object.keys(before), ...Object.keys(after)]))
    visit(scope, "", before[scope], after[scope]);
  return found;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
