import { type GapData, stripControlCharacters } from "@debug-bridge/protocol";
import type { ByteBudget, Holder } from "../bounds/byte-budget.js";

/** One event as the hub keeps it: the record's fields, and `data` as the JSON text that came in. */
export interface Entry {
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sequence: number;
  readonly json: string;
  /** Sequence of the `command` record that caused it, where that is known. */
  readonly causedBy: number | undefined;
  /** Where it is from: the members `origin` and `instanceId` of the record as JSON text, empty where they are not known. */
  readonly source: string;
}

export interface TimelineLimits {
  readonly entries: number;
  readonly characters: number;
}

const DEFAULT_LIMITS: TimelineLimits = { entries: 5_000, characters: 4_000_000 };
/** What one entry costs besides its text. */
const ENTRY_OVERHEAD = 128;
/** Smaller changes are not reported to the budget: there are many of them. */
const MIN_REPORTED = 1_024;

const DROPPED: Entry = { type: "", at: 0, sequence: 0, json: "", causedBy: undefined, source: "" };

/**
 * The ordered, numbered events of one session, as a bounded window: the oldest leave first, and a reader who asks for
 * them learns how many are gone.
 */
export class Timeline implements Holder {
  private entries: Entry[] = [];
  /** Entries before this index have left; they are cut off from time to time, not one by one. */
  private head = 0;
  private characters = 0;
  private reported = 0;
  private last = 0;
  /** Entries after this one wait to be stored, and readers do not see them yet. */
  private shown = Number.POSITIVE_INFINITY;
  private lastAt: number | undefined;

  constructor(
    readonly sessionId: string,
    private readonly limits: TimelineLimits = DEFAULT_LIMITS,
    private budget?: ByteBudget,
  ) {}

  /** Sequence of the newest entry that readers see; 0 when there was none. */
  get sequence(): number {
    return Math.min(this.last, this.shown);
  }

  /** Whether nothing was ever appended. */
  get isEmpty(): boolean {
    return this.last === 0;
  }

  /** From now on, readers see entries up to this one only. */
  showUpTo(sequence: number): void {
    this.shown = sequence;
  }

  /** Time of the newest entry. */
  get newestAt(): number | undefined {
    return this.lastAt;
  }

  /** Starts counting after a number. Has an effect only while the timeline is empty. */
  beginAfter(sequence: number): void {
    if (this.last === 0) this.last = sequence;
  }

  append(type: string, at: number, json: string, causedBy?: number, source = ""): Entry {
    const entry: Entry = { type, at, sequence: this.next, json, causedBy, source };
    this.add(entry);
    return entry;
  }

  /** The number of the next entry. */
  get next(): number {
    return this.last + 1;
  }

  /** Appends an entry that has the next number. */
  appendEntry(entry: Entry): void {
    this.add(entry);
  }

  /** Sequence of the oldest entry that it has; that of the next one when it has none. */
  get oldest(): number {
    return this.entries[this.head]?.sequence ?? this.last + 1;
  }

  /** Continues what another hub began: puts entries before those that it has, as far as they are older. */
  restore(entries: readonly Entry[]): void {
    const { last, lastAt } = this;
    const own = this.entries.slice(this.head);
    const older = last === 0 ? entries : entries.filter(({ sequence }) => sequence < this.oldest);
    if (older.length === 0) return;
    this.entries = [];
    this.head = 0;
    this.characters = 0;
    for (const entry of [...older, ...own]) this.add(entry);
    if (last === 0) return;
    this.last = last;
    this.lastAt = lastAt ?? this.lastAt;
  }

  private add(entry: Entry): void {
    this.last = entry.sequence;
    this.lastAt = entry.at;
    this.entries.push(entry);
    this.characters += entry.json.length + ENTRY_OVERHEAD;
    while (
      this.entries.length - this.head > this.limits.entries ||
      (this.characters > this.limits.characters && this.entries.length - this.head > 1)
    )
      this.dropOldest();
    this.compact();
    this.report(MIN_REPORTED);
  }

  /** Characters that it keeps, with what each entry costs besides. */
  measure(): number {
    return this.characters;
  }

  /** Releases the older half. */
  release(): void {
    const goal = this.characters / 2;
    while (this.characters > goal && this.head < this.entries.length) this.dropOldest();
    this.entries = this.entries.slice(this.head);
    this.head = 0;
    this.reported = this.characters;
  }

  /** The session is gone. */
  close(): void {
    this.budget?.remove(this);
    this.budget = undefined;
  }

  /** Entries after `since`, oldest first, at most `limit`; `gap` when some of those asked for have left the window. */
  readSince(since: number, limit = Number.POSITIVE_INFINITY): { entries: Entry[]; gap?: GapData } {
    const first = this.entries[this.head]?.sequence ?? this.last + 1;
    const start = this.head + Math.max(0, since + 1 - first);
    const hidden = this.last - this.sequence;
    const end = Math.min(start + limit, this.entries.length - hidden);
    const entries = this.entries.slice(start, Math.max(start, end));
    const dropped = first - 1 - since;
    if (dropped <= 0) return { entries };
    return {
      entries,
      gap: { dropped, reason: "older than the hub's window", from: since + 1, to: first - 1 },
    };
  }

  private dropOldest(): void {
    this.characters -= (this.entries[this.head] as Entry).json.length + ENTRY_OVERHEAD;
    // The array is cut later; the text goes now.
    this.entries[this.head++] = DROPPED;
  }

  private compact(): void {
    if (this.head <= 256 || this.head * 2 <= this.entries.length) return;
    this.entries = this.entries.slice(this.head);
    this.head = 0;
  }

  private report(atLeast: number): void {
    if (!this.budget || Math.abs(this.characters - this.reported) < atLeast) return;
    this.reported = this.characters;
    this.budget.update(this, this.characters);
  }
}

/** The last moment whose year has four digits. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time of a record is always valid, whatever the clock of the page is set to. */
export function isoTime(at: number): string {
  return new Date(Math.min(at, LAST_TIME)).toISOString();
}

/** The JSON of a timeline record. `data` goes in as it came; nothing is serialised twice. */
export function recordJson(sessionId: string, entry: Entry): string {
  const head = `{"type":${JSON.stringify(entry.type)},"timestamp":"${isoTime(entry.at)}"`;
  const cause = entry.causedBy === undefined ? "" : `,"causedBy":${entry.causedBy}`;
  return `${head},"sessionId":${JSON.stringify(sessionId)},"sequence":${entry.sequence}${cause}${entry.source},"data":${entry.json}}`;
}

/** The JSON of a `gap` record before sequence `before`. */
export function gapJson(sessionId: string, before: number, gap: GapData): string {
  const reason = stripControlCharacters(gap.reason);
  const sequence = Math.max(1, before - 1);
  return recordJson(sessionId, {
    type: "gap",
    at: Date.now(),
    sequence,
    json: JSON.stringify({ ...gap, reason }),
    causedBy: undefined,
    source: "",
  });
}
