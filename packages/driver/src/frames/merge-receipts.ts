import type { Receipt } from "@debug-bridge/protocol";

const MAX_ENTRIES = 50;
/** These are about the page as a whole, and come from its records. */
const OWN: ReadonlySet<string> = new Set([
  "settled",
  "durationMs",
  "console",
  "errors",
  "requests",
  "navigation",
  "omitted",
]);

/** A receipt with what changed in other frames at the same time. */
export function mergeReceipts(receipt: Receipt, others: readonly Partial<Receipt>[]): Receipt {
  const merged: Record<string, unknown> = { ...receipt };
  let omitted = receipt.omitted ?? 0;
  const join = (into: Record<string, unknown>, from: object): void => {
    for (const [key, value] of Object.entries(from)) {
      if (Array.isArray(value)) {
        const all = [...((into[key] as unknown[] | undefined) ?? []), ...value];
        omitted += Math.max(0, all.length - MAX_ENTRIES);
        into[key] = all.slice(0, MAX_ENTRIES);
      } else if (typeof value === "object" && value !== null) {
        const inner = { ...(into[key] as Record<string, unknown> | undefined) };
        join(inner, value);
        into[key] = inner;
      }
    }
  };
  for (const other of others)
    join(merged, Object.fromEntries(Object.entries(other).filter(([key]) => !OWN.has(key))));
  return { ...(merged as Receipt), ...(omitted > 0 ? { omitted } : {}) };
}
