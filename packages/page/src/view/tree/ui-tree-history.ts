import type { UiTreeItem } from "@debug-bridge/protocol";
import type { Numbers } from "../text/numbers.js";
import type { Entry } from "./ui-tree.js";

/** One change of the tree. */
export interface Change {
  readonly version: number;
  readonly key: number;
  readonly before: UiTreeItem | undefined;
  readonly after: UiTreeItem | undefined;
}

/** An entry before and after a change. */
export type Pair = readonly [before: Entry | undefined, after: Entry | undefined];

export interface Difference {
  readonly added: UiTreeItem[];
  readonly removed: UiTreeItem[];
  readonly changed: { readonly before: UiTreeItem; readonly after: UiTreeItem }[];
}

export function isEmpty({ added, removed, changed }: Difference): boolean {
  return added.length + removed.length + changed.length === 0;
}

const MAX_CHANGES = 10_000;

/** Remembers how the tree changed, so that "what is different since version N" costs only the differences. */
export class UiTreeHistory {
  private changes: Change[] = [];

  /** `floor`: differences since any version below this one are not known. */
  constructor(private floor = 0) {}

  /** Forgets everything up to a version. */
  restart(version: number): void {
    this.changes = [];
    this.floor = version;
  }

  record(change: Change): void {
    this.changes.push(change);
    if (this.changes.length > MAX_CHANGES) {
      this.floor = (this.changes[MAX_CHANGES / 2 - 1] as Change).version;
      this.changes = this.changes.slice(MAX_CHANGES / 2);
    }
  }

  /** Records how two states of the tree differ; the new version, 0 when they do not. */
  compare(entries: readonly Entry[], next: readonly Entry[], versions: Pick<Numbers, "next">): number {
    if (entries === next) return 0;
    const pairs: Pair[] = [];
    const record = (before: Entry | undefined, after: Entry | undefined): void => {
      if (before !== after) pairs.push([before, after]);
    };
    const aligned = entries.length === next.length && entries.every((entry, i) => entry.key === next[i]?.key);
    if (aligned) for (const [i, entry] of next.entries()) record(entries[i], entry);
    else {
      const before = new Map(entries.map((entry) => [entry.key, entry]));
      for (const entry of next) {
        record(before.get(entry.key), entry);
        before.delete(entry.key);
      }
      for (const gone of before.values()) record(gone, undefined);
    }
    return this.recordPairs(pairs, versions);
  }

  /** Records what entries were and are; the new version, 0 when none of them differ. */
  recordPairs(pairs: readonly Pair[], versions: Pick<Numbers, "next">): number {
    let version = 0;
    for (const [before, after] of pairs) {
      const key = (before ?? after)?.key;
      if (key === undefined || (before && after && sameItem(before.item, after.item))) continue;
      version ||= versions.next();
      this.record({ version, key, before: before?.item, after: after?.item });
    }
    return version;
  }

  /** What is different now, without changes that cancelled each other out; `undefined` when it is too long ago. */
  since(version: number): Difference | undefined {
    if (version < this.floor) return undefined;
    const first = new Map<number, { before: UiTreeItem | undefined; after: UiTreeItem | undefined }>();
    for (let i = this.firstAfter(version); i < this.changes.length; i++) {
      const { key, before, after } = this.changes[i] as Change;
      const known = first.get(key);
      if (known) known.after = after;
      else first.set(key, { before, after });
    }
    const difference: Difference = { added: [], removed: [], changed: [] };
    for (const { before, after } of first.values()) {
      if (before && after) {
        if (!sameItem(before, after)) difference.changed.push({ before, after });
      } else if (after) difference.added.push(after);
      else if (before) difference.removed.push(before);
    }
    return difference;
  }

  private firstAfter(version: number): number {
    let low = 0;
    let high = this.changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.changes[middle] as Change).version > version) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Whether two descriptions of an element are equal. */
export function sameItem(a: UiTreeItem, b: UiTreeItem): boolean {
  return (
    a === b ||
    (a.id === b.id &&
      a.ref === b.ref &&
      a.role === b.role &&
      a.text === b.text &&
      a.name === b.name &&
      a.disabled === b.disabled &&
      a.visible === b.visible &&
      a.hiddenBy === b.hiddenBy &&
      a.section === b.section &&
      a.selector === b.selector &&
      sameMeta(a.meta, b.meta))
  );
}

export function sameMeta(a: UiTreeItem["meta"], b: UiTreeItem["meta"]): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
