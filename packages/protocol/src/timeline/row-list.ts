import type { TimelineColumns } from "./columns.js";

/** Which records of a timeline are wanted. What is left out does not narrow it. */
export interface RowFilter {
  /** Whether each kind is wanted, by its index. */
  readonly kinds?: readonly boolean[];
  /** The least level, as an index. */
  readonly level?: number;
  /** Part of the record's text, in lower case. */
  readonly text?: string;
  /** Only this command and what it caused. */
  readonly cause?: number;
  /** Milliseconds since the epoch, both included. */
  readonly from?: number;
  readonly to?: number;
  /** Leaves effects out under their causes, except under these sequences; or shows them, except under these. */
  readonly folded?: boolean;
  readonly except?: ReadonlySet<number>;
}

/** How far above the end an effect looks for its cause. One that comes later is listed where it is. */
const MAX_DISTANCE = 2_000;

/**
 * The records of a timeline that a filter lets through, in the order in which they are shown: effects directly below
 * their cause. It grows with the timeline; nothing is computed twice.
 */
export class RowList {
  /** Position in the columns, twice, plus 1 for a row that belongs to the cause above it. */
  private readonly rows: number[] = [];
  /** How many records of the timeline were looked at. */
  seen = 0;

  constructor(
    private readonly columns: TimelineColumns,
    readonly filter: RowFilter,
  ) {}

  get length(): number {
    return this.rows.length;
  }

  /** Whether the text of a record has to be read before it can be added. */
  get needsText(): boolean {
    return this.filter.text !== undefined;
  }

  /** The rows from `offset` on: positions in the columns, and whether they belong to the cause above. */
  slice(offset: number, limit: number): { position: number; isEffect: boolean }[] {
    return this.rows
      .slice(offset, offset + limit)
      .map((row) => ({ position: row >>> 1, isEffect: (row & 1) === 1 }));
  }

  /** Index of the row that shows a position, or of the one after which it would be. */
  indexOf(position: number): number {
    const { rows } = this;
    // Effects move up to their causes, so the order is only nearly that of the positions.
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((rows[middle] as number) >>> 1 < position) low = middle + 1;
      else high = middle;
    }
    const start = Math.max(0, low - MAX_DISTANCE);
    const end = Math.min(rows.length, low + MAX_DISTANCE);
    for (let i = start; i < end; i++) if ((rows[i] as number) >>> 1 === position) return i;
    return Math.min(low, Math.max(0, rows.length - 1));
  }

  /** Looks at the next record; `text` is its JSON if the filter needs it, in any case. */
  add(position: number, text?: string): void {
    this.seen = position + 1;
    if (!this.matchesFacts(position)) return;
    const { text: wanted } = this.filter;
    if (wanted !== undefined && !(text ?? "").toLowerCase().includes(wanted)) return;
    this.insert(position);
  }

  /** Whether everything but the text matches; a record that does not need not be read. */
  matchesFacts(position: number): boolean {
    const { kinds, level, cause, from, to } = this.filter;
    const { columns } = this;
    if (kinds && !kinds[columns.kinds[position] as number]) return false;
    if (level !== undefined && (columns.levels[position] as number) < level) return false;
    if (from !== undefined && (columns.times[position] as number) < from) return false;
    if (to !== undefined && (columns.times[position] as number) > to) return false;
    if (cause === undefined) return true;
    return columns.causes[position] === cause || columns.sequences[position] === cause;
  }

  private insert(position: number): void {
    const cause = this.columns.causes[position] as number;
    const above = cause === 0 ? -1 : this.lastRowOf(cause);
    if (above === -1) this.rows.push(position << 1);
    else if (!this.isFolded(cause)) {
      const row = (position << 1) | 1;
      if (above === this.rows.length - 1) this.rows.push(row);
      else this.rows.splice(above + 1, 0, row);
    }
  }

  private isFolded(cause: number): boolean {
    const { folded = false, except } = this.filter;
    return folded !== (except?.has(cause) ?? false);
  }

  /** The last row of the group of a cause; -1 when the cause is not listed nearby. */
  private lastRowOf(cause: number): number {
    const { rows, columns } = this;
    const end = Math.max(0, rows.length - MAX_DISTANCE);
    for (let i = rows.length - 1; i >= end; i--) {
      const row = rows[i] as number;
      const position = row >>> 1;
      const isInGroup = (row & 1) === 1 && columns.causes[position] === cause;
      if (isInGroup || columns.sequences[position] === cause) return i;
    }
    return -1;
  }
}
