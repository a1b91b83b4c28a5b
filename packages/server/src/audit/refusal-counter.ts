/** A refusal that was repeated is written again after this time, with its count. */
const WINDOW_MS = 10_000;
/** Refusals that differ from each other within a window; more of them are counted together. */
const MAX_DIFFERENT = 64;

/** How often the same was refused since it was written last. */
interface Repeated<Refusal> {
  readonly refusal: Refusal;
  count: number;
}

/**
 * Decides which refusals are written: the first of its kind at once, and those that repeat it as one line with their count
 * at the end of each window. However many come, the number of lines is limited.
 */
export class RefusalCounter<Refusal extends object> {
  private readonly seen = new Map<string, Repeated<Refusal>>();
  private others = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly write: (refusal: Refusal | { readonly what: string }, count: number) => void,
    private readonly windowMs = WINDOW_MS,
    private readonly maxDifferent = MAX_DIFFERENT,
  ) {}

  /** Counts a refusal. Two with the same key are the same. */
  count(key: string, describe: () => Refusal): void {
    const known = this.seen.get(key);
    if (known) known.count++;
    else if (this.seen.size >= this.maxDifferent) this.others++;
    else {
      const refusal = describe();
      this.seen.set(key, { refusal, count: 0 });
      this.write(refusal, 1);
    }
    this.timer ??= setTimeout(() => this.flush(), this.windowMs).unref();
  }

  /** Writes the counts of what was repeated. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { refusal, count } of this.seen.values()) if (count > 0) this.write(refusal, count);
    this.seen.clear();
    if (this.others > 0) this.write({ what: "other refusals" }, this.others);
    this.others = 0;
  }
}
