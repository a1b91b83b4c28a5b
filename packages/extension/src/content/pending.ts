/** One event that the worker has not confirmed yet. */
interface Pending {
  readonly seq: number;
  readonly text: string;
}

const MOST_EVENTS = 1_000;
const MOST_CHARACTERS = 2_000_000;

/**
 * The events of a document until they have arrived. It is bounded: when it is full the oldest log goes first, and a
 * warning or an error only when there are no logs. Numbers count up by one per event and never come twice.
 */
export class PendingEvents {
  private list: Pending[] = [];
  private characters = 0;
  private nextSeq = 0;
  private lost = 0;

  add(text: string): number {
    const seq = this.nextSeq++;
    this.list.push({ seq, text });
    this.characters += text.length;
    while (this.list.length > MOST_EVENTS || this.characters > MOST_CHARACTERS) this.loseOne();
    return seq;
  }

  /** Forgets what has arrived. */
  confirm(seq: number): void {
    let arrived = 0;
    for (; arrived < this.list.length && (this.list[arrived] as Pending).seq <= seq; arrived++) {
      this.characters -= (this.list[arrived] as Pending).text.length;
    }
    if (arrived > 0) this.list = this.list.slice(arrived);
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** What is not confirmed and has number `from` or higher, in runs of consecutive numbers. */
  *runs(from = 0, most = 100): Generator<{ first: number; list: string[] }> {
    let run: { first: number; list: string[] } | undefined;
    for (const { seq, text } of this.list) {
      if (seq < from) continue;
      if (run && (seq !== run.first + run.list.length || run.list.length >= most)) {
        yield run;
        run = undefined;
      }
      run ??= { first: seq, list: [] };
      run.list.push(text);
    }
    if (run) yield run;
  }

  takeLost(): number {
    const { lost } = this;
    this.lost = 0;
    return lost;
  }

  private loseOne(): void {
    const log = this.list.findIndex(({ text }) => text.startsWith("0"));
    const [gone] = this.list.splice(Math.max(log, 0), 1);
    this.characters -= gone?.text.length ?? 0;
    this.lost++;
  }
}
