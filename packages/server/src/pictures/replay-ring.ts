import type { ByteBudget, Holder } from "../bounds/byte-budget.js";

/** What the replay of one session may take in memory. */
const MAX_BYTES = 12 * 1024 * 1024;
const OVERHEAD = 100;

/** Lists of events as JSON, which begin with the whole page. */
export interface ReplaySegment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly parts: string[];
  /** From when on it says nothing more about the page. */
  end: number | undefined;
  bytes: number;
}

/** The newest segments of a session's replay, within a number of bytes. One that is too large on its own is not kept. */
export class ReplayRing implements Holder {
  private segments: ReplaySegment[] = [];
  private bytes = 0;

  constructor(
    private readonly budget?: ByteBudget,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** Adds a list of events. Without a beginning they mean nothing. */
  add(at: number, events: string, isStart: boolean): void {
    if (isStart) this.segments.push({ at, parts: [], end: undefined, bytes: 0 });
    const newest = this.segments.at(-1);
    if (!newest || (newest.end !== undefined && !isStart)) return;
    const before = this.segments.at(-2);
    if (isStart && before) before.end ??= at;
    newest.parts.push(events);
    newest.bytes += events.length + OVERHEAD;
    this.bytes += events.length + OVERHEAD;
    while (this.bytes > this.maxBytes && this.segments.length > 0) this.dropOldest();
    this.budget?.update(this, this.bytes);
  }

  /** Nobody watches the page from this time on. */
  end(at: number): void {
    const newest = this.segments.at(-1);
    if (newest) newest.end ??= at;
  }

  all(): readonly ReplaySegment[] {
    return this.segments;
  }

  measure(): number {
    return this.bytes;
  }

  release(): void {
    for (let left = Math.ceil(this.segments.length / 2); left > 0; left--) this.dropOldest();
  }

  close(): void {
    this.segments = [];
    this.bytes = 0;
    this.budget?.remove(this);
  }

  private dropOldest(): void {
    this.bytes -= this.segments.shift()?.bytes ?? 0;
  }
}
