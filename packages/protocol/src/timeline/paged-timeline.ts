import { fullRecordLine, type ReadableRecord } from "../records/record-line.js";
import { type RowFilter, RowList } from "./row-list.js";
import { parseOrNothing, type TimelineSource } from "./source.js";

/** Filters whose rows are kept, so that paging through them costs nothing. */
const MAX_LISTS = 8;
/** How long other work of the process may have to wait. */
const SLICE_MS = 8;
/** How many records are looked at before the clock is. */
const STRIDE = 2_000;

/** Where a page begins: at a row, at the newest rows, or so that a record is in its middle. */
export type PageStart = { readonly offset: number } | { readonly around: number } | "end";

export interface Page {
  /** How many rows there are, as far as they are known. */
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly { readonly position: number; readonly isEffect: boolean }[];
  /** Whether all records were looked at; if not, ask again. */
  readonly complete: boolean;
  /** How much was looked at, from 0 to 1. */
  readonly progress: number;
}

/** Reads a timeline of any length in pages, under filters. */
export class PagedTimeline {
  private readonly lists = new Map<string, RowList>();

  constructor(readonly source: TimelineSource) {}

  /** A page of what a filter lets through. Looks at records for at most about so many milliseconds. */
  async page(filter: RowFilter, start: PageStart, limit: number, maxMs = 100): Promise<Page> {
    const deadline = performance.now() + maxMs;
    const isIndexed = await this.source.extend(maxMs);
    const list = this.listOf(filter);
    await this.fill(list, Math.max(deadline, performance.now() + SLICE_MS));
    const { columns, progress } = this.source;
    const offset = this.offsetOf(list, start, limit);
    const seen = columns.length === 0 ? 1 : list.seen / columns.length;
    return {
      total: list.length,
      offset,
      rows: list.slice(offset, limit),
      complete: isIndexed && list.seen === columns.length,
      progress: progress * seen,
    };
  }

  private offsetOf(list: RowList, start: PageStart, limit: number): number {
    if (start === "end") return Math.max(0, list.length - limit);
    if ("offset" in start) return Math.min(start.offset, list.length);
    const position = this.source.columns.firstFrom(start.around);
    return Math.max(0, list.indexOf(position) - (limit >>> 1));
  }

  private listOf(filter: RowFilter): RowList {
    const key = JSON.stringify({ ...filter, except: [...(filter.except ?? [])] });
    const list = this.lists.get(key) ?? new RowList(this.source.columns, filter);
    this.lists.delete(key);
    this.lists.set(key, list);
    if (this.lists.size > MAX_LISTS) this.lists.delete(this.lists.keys().next().value as string);
    return list;
  }

  private async fill(list: RowList, deadline: number): Promise<void> {
    const stride = list.needsText ? STRIDE / 20 : STRIDE;
    let slice = performance.now();
    while (list.seen < this.source.columns.length) {
      const end = Math.min(this.source.columns.length, list.seen + stride);
      for (let position = list.seen; position < end; position++)
        list.add(position, list.needsText ? this.textOf(list, position) : undefined);
      const now = performance.now();
      if (now > deadline) return;
      if (now - slice > SLICE_MS) {
        await this.source.pause();
        slice = performance.now();
      }
    }
  }

  /** What a person reads of a record: its type and its line. */
  private textOf(list: RowList, position: number): string {
    if (!list.matchesFacts(position)) return "";
    const record = parseOrNothing(this.source.read(position) ?? "") as ReadableRecord | undefined;
    return typeof record?.type === "string" ? `${record.type} ${fullRecordLine(record)}` : "";
  }
}
