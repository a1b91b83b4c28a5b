/** Refs, ids of places and versions; no more kinds of numbers exist. */
const MAX_KINDS = 8;

/**
 * The next free number of each kind, for all documents of a page: what one has given out, no other gives out again. They
 * are kept here because the page could see them in its own storage.
 */
export class PageNumbers {
  private readonly ends = new Map<string, string>();
  /** Changes with every reservation. */
  version = 0;

  /** An engine has reserved the numbers below `end`. */
  reserve(kind: string, end: string): void {
    if (!this.ends.has(kind) && this.ends.size >= MAX_KINDS) return;
    this.ends.set(kind, end);
    this.version++;
  }

  toJSON(): Record<string, string> {
    return Object.fromEntries(this.ends);
  }
}
