import type { Known } from "./element-state.js";
import type { Refs } from "./refs.js";
import { groupsOf, refsInRows } from "./row-refs.js";
import { type Context, Rows } from "./rows.js";
import type { Staleness } from "./staleness.js";

/** Rows with more inside are not asked for their elements one by one. */
const MAX_INSIDE = 2_000;

/** Gives elements that share role and name refs that hold only in their row. */
export class RowNames {
  private readonly rows = new Rows();

  constructor(
    private readonly refs: Refs,
    private readonly stale: Staleness,
  ) {}

  reads(row: Element, { texts }: Context): boolean {
    return texts.length > 0 && this.rows.reads(row, texts);
  }

  /** Those of all elements that need another ref. */
  all(next: readonly Known[], before: ReadonlyMap<Element, Known>): Map<Known, string> {
    this.forget();
    return this.among(groupsOf(next, this.refs.areInRows), before);
  }

  /** Those that need another ref, when only these are new or different; `undefined` when it may be any. */
  some(
    next: readonly Known[],
    different: ReadonlyMap<Element, Known>,
    before: ReadonlyMap<Element, Known>,
    arrived: Iterable<Known>,
  ): Map<Known, string> | undefined {
    const asked = new Set(arrived);
    for (const [element, entry] of different)
      if (before.get(element)?.item.ref !== entry.item.ref) asked.add(entry);
    for (const row of this.refs.areInRows ? this.stale.elements : []) {
      if (!this.rows.isRow(row)) continue;
      const inside = row.getElementsByTagName("*");
      if (inside.length > MAX_INSIDE) return undefined;
      for (const each of [row, ...inside]) {
        const entry = different.get(each) ?? before.get(each);
        if (entry) asked.add(entry);
      }
    }
    this.forget();
    if (asked.size === 0) return new Map();
    const names = new Set<string>();
    for (const { name } of asked) names.add(name);
    const others = new Map<Known, string>();
    for (const group of groupsOf(
      next.filter(({ name }) => names.has(name)),
      this.refs.areInRows,
    )) {
      const known = group.filter((entry) => !asked.has(entry));
      // One that was alone until now has no row yet.
      const some = known.length > 1 ? asked : undefined;
      for (const [entry, ref] of refsInRows(group, this.around(before), some)) others.set(entry, ref);
    }
    return others;
  }

  private among(groups: Iterable<readonly Known[]>, before: ReadonlyMap<Element, Known>): Map<Known, string> {
    const others = new Map<Known, string>();
    for (const group of groups)
      for (const [entry, ref] of refsInRows(group, this.around(before))) others.set(entry, ref);
    return others;
  }

  private around(before: ReadonlyMap<Element, Known>): Parameters<typeof refsInRows<Known>>[1] {
    const { refs, rows, stale } = this;
    const isTouched = (row: Element): boolean => stale.everything || stale.elements.has(row);
    const wasShown = (entry: Known): boolean => before.get(entry.element)?.item.ref === entry.item.ref;
    return { refs, rows, isTouched, wasShown };
  }

  private forget(): void {
    this.rows.forget(this.stale.elements, this.stale.everything);
  }
}
