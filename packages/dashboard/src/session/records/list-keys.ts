import type { RowStore } from "./row-store.js";
import type { GoTo } from "./use-list-scroll.js";

interface KeyTarget {
  readonly store: RowStore;
  readonly total: number;
  /** The first row on the screen. */
  readonly start: number;
  readonly selected: number | undefined;
  isOpen(sequence: number): boolean;
  toggle(sequence: number): void;
  onSelect(sequence: number, how?: "open"): void;
  goTo: GoTo;
  goToNewest(): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };

/** What a key does in the list. False for a key that does nothing there. */
export function handleKey(key: string, list: KeyTarget): boolean {
  const { store, total, start, selected } = list;
  const row = selected === undefined ? undefined : store.row(selected);
  const hasEffects = row !== undefined && row.effects.all > 0;
  const step = STEPS[key];
  if (step !== undefined) {
    const index = Math.max(0, Math.min(total - 1, selected === undefined ? start : selected + step));
    const next = store.row(index);
    if (next) {
      list.goTo(index);
      list.onSelect(next.sequence);
    }
  } else if (key === "ArrowRight" && hasEffects && !list.isOpen(row.sequence)) list.toggle(row.sequence);
  else if (key === "ArrowLeft" && hasEffects && list.isOpen(row.sequence)) list.toggle(row.sequence);
  else if (key === "ArrowLeft" && row?.cause !== undefined) list.onSelect(row.cause);
  else if (key === "Enter" && row) list.onSelect(row.sequence, "open");
  else if (key === "Home") list.goTo(0);
  else if (key === "End") list.goToNewest();
  else return false;
  return true;
}
