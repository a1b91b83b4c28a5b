import { type GapData, stripControlCharacters } from "@debug-bridge/protocol";

/** One event as the hub keeps it: the record's fields, and `data` as the JSON text that came in. */
export interface Entry {
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sequence: number;
  readonly json: string;
  /** Sequence of the `command` record that caused it, where that is known. */
  readonly causedBy: number | undefined;
}

export interface TimelineLimits {
  readonly entries: number;
  readonly characters: number;
}

const DEFAULT_LIMITS: TimelineLimits = { entries: 5_000, characters: 4_000_000 };
/** What one entry costs besides its text. */
const ENTRY_OVERHEAD = 64;

/**
 * The ordered, numbered events of one session, as a bounded window: the oldest leave first, and a reader who asks for
 * them learns how many are gone.
 */
export class Timeline {
  private entries: Entry[] = [];
  /** Entries before this index have left; they are cut off from time to time, not one by one. */
  private head = 0;
  private characters = 0;
  private last = 0;

  constructor(
    readonly sessionId: string,
    private readonly limits: TimelineLimits = DEFAULT_LIMITS,
  ) {}

  /** Sequence of the newest entry; 0 when there was none. */
  get sequence(): number {
    return this.last;
  }

  get newest(): Entry | undefined {
    return this.entries.at(-1);
  }

  /** Starts counting after a number. Has an effect only while the timeline is empty. */
  beginAfter(sequence: number): void {
    if (this.last === 0) this.last = sequence;
  }

  append(type: string, at: number, json: string, causedBy?: number): Entry {
    const entry: Entry = { type, at, sequence: ++this.last, json, causedBy };
    this.entries.push(entry);
    this.characters += json.length + ENTRY_OVERHEAD;
    while (
      this.entries.length - this.head > this.limits.entries ||
      (this.characters > this.limits.characters && this.entries.length - this.head > 1)
    ) {
      this.characters -= (this.entries[this.head] as Entry).json.length + ENTRY_OVERHEAD;
      this.head++;
    }
    if (this.head > 256 && this.head * 2 > this.entries.length) {
      this.entries = this.entries.slice(this.head);
      this.head = 0;
    }
    return entry;
  }

  /** Entries after `since`, oldest first, at most `limit`; `gap` when some of those asked for have left the window. */
  readSince(since: number, limit = Number.POSITIVE_INFINITY): { entries: Entry[]; gap?: GapData } {
    const first = this.entries[this.head]?.sequence ?? this.last + 1;
    const start = this.head + Math.max(0, since + 1 - first);
    const entries = this.entries.slice(start, start + limit);
    const dropped = first - 1 - since;
    if (dropped <= 0) return { entries };
    return {
      entries,
      gap: { dropped, reason: "older than the hub's window", from: since + 1, to: first - 1 },
    };
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
  return `${head},"sessionId":${JSON.stringify(sessionId)},"sequence":${entry.sequence}${cause},"data":${entry.json}}`;
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
  });
}
