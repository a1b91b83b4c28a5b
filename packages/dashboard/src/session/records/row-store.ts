import type { TimelinePage, TimelineRow } from "@debug-bridge/protocol";

/** What is known about the whole list, besides its rows. */
export type ListInfo = Omit<TimelinePage, "rows" | "offset">;

/** Reads a page: from a row on, around a record, or the newest rows. */
export type ReadPage = (
  start: { readonly offset: number } | { readonly around: number } | "end",
  limit: number,
  signal: AbortSignal,
) => Promise<TimelinePage>;

const PAGE = 120;
/** Rows beyond the visible ones that are read with them. */
const MARGIN = 30;
/** Rows that are kept. */
const MAX_KEPT = 1_500;
/** The hub looks on through a long timeline whenever it is asked. */
const AGAIN_MS = 40;
const RETRY_MS = 1_000;

/**
 * The rows of one list that are on the screen or near it. A timeline of any length costs the memory of some pages.
 * One request runs at a time; what happens meanwhile is read with the next.
 */
export class RowStore {
  info: ListInfo | undefined;
  /** Whether the rows, and what is known about them, are those of the list that was shown before. */
  isOutdated = false;
  /** What went wrong with the last request. */
  problem: string | undefined;
  /** Whether the newest rows are shown as they come. */
  isFollowing: boolean;
  private rows = new Map<number, TimelineRow>();
  private range = { start: 0, end: PAGE };
  private isStale = true;
  private isLoading = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly controller = new AbortController();
  private readonly listeners = new Set<() => void>();
  private version = 0;

  constructor(
    private readonly read: ReadPage,
    options: {
      readonly follow: boolean;
      /** What was shown before: it stays until there is something to show instead. */
      readonly previous?: RowStore | undefined;
    },
  ) {
    const { follow, previous } = options;
    this.isFollowing = previous?.isFollowing ?? follow;
    if (!previous) return;
    this.info = previous.info;
    this.rows = previous.rows;
    this.range = previous.range;
    this.isOutdated = true;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Changes whenever something else is to be shown. */
  readonly snapshot = (): number => this.version;

  row(index: number): TimelineRow | undefined {
    return this.rows.get(index);
  }

  /** Index of a record, if it is on the screen or near it. */
  indexOf(sequence: number): number | undefined {
    for (const [index, row] of this.rows) if (row.sequence === sequence) return index;
    return undefined;
  }

  /** These rows are on the screen. */
  show(start: number, end: number): void {
    this.range = { start, end };
    void this.load();
  }

  follow(isFollowing: boolean): void {
    if (this.isFollowing === isFollowing) return;
    this.isFollowing = isFollowing;
    this.notify();
    if (isFollowing) this.refresh();
  }

  /** The timeline has new records. */
  refresh(): void {
    this.isStale = true;
    void this.load();
  }

  /** Reads the rows around a record; returns its index, or that of the row nearest to it. */
  async locate(sequence: number): Promise<number | undefined> {
    const page = await this.read({ around: sequence }, PAGE, this.controller.signal).catch(() => undefined);
    if (!page) return undefined;
    this.accept(page);
    const found = page.rows.findIndex((row) => row.sequence === sequence);
    return found === -1 ? Math.min(page.offset + (PAGE >>> 1), page.total - 1) : page.offset + found;
  }

  close(): void {
    clearTimeout(this.timer);
    this.controller.abort();
  }

  private async load(): Promise<void> {
    if (this.isLoading || this.controller.signal.aborted) return;
    const start = this.nextRequest();
    if (start === undefined) return;
    clearTimeout(this.timer);
    this.isLoading = true;
    this.isStale = false;
    let delay = 0;
    try {
      this.accept(await this.read(start, PAGE, this.controller.signal));
      this.problem = undefined;
      if (this.info && !this.info.complete) delay = AGAIN_MS;
    } catch (thrown) {
      if (this.controller.signal.aborted) return;
      this.problem = (thrown as Error).message;
      delay = RETRY_MS;
      this.notify();
    }
    this.isLoading = false;
    if (delay > 0) this.timer = setTimeout(() => this.refresh(), delay);
    else void this.load();
  }

  private nextRequest(): "end" | { offset: number } | undefined {
    if (this.isFollowing) return this.isStale ? "end" : undefined;
    const { start, end } = this.range;
    const offset = Math.max(0, start - MARGIN);
    if (this.isStale) return { offset };
    const last = Math.min(end, this.info?.total ?? 0);
    for (let i = start; i < last; i++)
      if (!this.rows.has(i)) return { offset: i === start ? offset : Math.max(0, i - MARGIN) };
    return undefined;
  }

  private accept({ rows, offset, ...info }: TimelinePage): void {
    // An effect that came late, or a window that moved on, shifts the rows behind it.
    const isShifted = info.total !== this.info?.total || info.generation !== this.info.generation;
    if (isShifted || this.isOutdated) this.rows = new Map();
    this.isOutdated = false;
    this.info = info;
    if (this.rows.size > MAX_KEPT) this.rows = new Map();
    rows.forEach((row, i) => {
      this.rows.set(offset + i, row);
    });
    this.notify();
  }

  private notify(): void {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
