/** What is kept of each record of a long timeline, so that it can be paged, filtered and counted without its text. */
export interface RecordRow {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Indexes in `RECORD_KINDS` and `RECORD_LEVELS`. */
  readonly kind: number;
  readonly level: number;
  /** Sequence of the record that caused it; 0 when that is not known. */
  readonly cause: number;
  /** Where its text begins; 0 for records in memory. */
  readonly offset: number;
}

/** What the records that a command caused are, counted. */
export interface EffectCounts {
  readonly all: number;
  readonly requests: number;
  readonly errors: number;
}

const FIRST_CAPACITY = 1_024;
const MAX_COUNT = 0xffff;

/** The facts of all records of one timeline, as columns of numbers: 36 bytes for each record, whatever its length. */
export class TimelineColumns {
  length = 0;
  sequences = new Float64Array(FIRST_CAPACITY);
  times = new Float64Array(FIRST_CAPACITY);
  offsets = new Float64Array(FIRST_CAPACITY);
  causes = new Uint32Array(FIRST_CAPACITY);
  kinds = new Uint8Array(FIRST_CAPACITY);
  levels = new Uint8Array(FIRST_CAPACITY);
  private effects = new Uint16Array(FIRST_CAPACITY);
  private effectRequests = new Uint16Array(FIRST_CAPACITY);
  private effectErrors = new Uint16Array(FIRST_CAPACITY);

  /** Which kind counts as a request, and which level as an error. */
  constructor(private readonly counted: { readonly request: number; readonly error: number }) {}

  /** Adds a record. Sequences always grow: a file that says otherwise is numbered on from the last one. */
  push({ sequence, at, kind, level, cause, offset }: RecordRow): void {
    const i = this.length;
    if (i === this.times.length) this.grow();
    const last = i === 0 ? 0 : (this.sequences[i - 1] as number);
    this.sequences[i] = sequence > last ? sequence : last + 1;
    this.times[i] = at;
    this.offsets[i] = offset;
    this.causes[i] = cause;
    this.kinds[i] = kind;
    this.levels[i] = level;
    this.length++;
    if (cause > 0) this.countEffect(this.positionOf(cause), kind, level);
  }

  /** Position of the record with this sequence; -1 when there is none. */
  positionOf(sequence: number): number {
    const at = this.firstFrom(sequence);
    return at < this.length && this.sequences[at] === sequence ? at : -1;
  }

  /** Position of the first record whose sequence is not below this one. */
  firstFrom(sequence: number): number {
    // Sequences count up by one unless some are missing, so the first guess is nearly always right.
    const guess = sequence - (this.sequences[0] as number);
    if (guess >= 0 && guess < this.length && this.sequences[guess] === sequence) return guess;
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sequences[middle] as number) < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  effectsOf(position: number): EffectCounts {
    return {
      all: this.effects[position] as number,
      requests: this.effectRequests[position] as number,
      errors: this.effectErrors[position] as number,
    };
  }

  private countEffect(position: number, kind: number, level: number): void {
    if (position === -1 || this.effects[position] === MAX_COUNT) return;
    this.effects[position] = (this.effects[position] as number) + 1;
    if (kind === this.counted.request)
      this.effectRequests[position] = (this.effectRequests[position] as number) + 1;
    if (level === this.counted.error)
      this.effectErrors[position] = (this.effectErrors[position] as number) + 1;
  }

  private grow(): void {
    const size = 2 * this.times.length;
    const copy = <Column extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(
      to: Column,
      from: Column,
    ): Column => {
      to.set(from);
      return to;
    };
    this.sequences = copy(new Float64Array(size), this.sequences);
    this.times = copy(new Float64Array(size), this.times);
    this.offsets = copy(new Float64Array(size), this.offsets);
    this.causes = copy(new Uint32Array(size), this.causes);
    this.kinds = copy(new Uint8Array(size), this.kinds);
    this.levels = copy(new Uint8Array(size), this.levels);
    this.effects = copy(new Uint16Array(size), this.effects);
    this.effectRequests = copy(new Uint16Array(size), this.effectRequests);
    this.effectErrors = copy(new Uint16Array(size), this.effectErrors);
  }
}
