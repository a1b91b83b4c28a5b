import { BoundedQueue } from "@debug-bridge/protocol";

const LIMITS = { maxItems: 1_000, maxSize: 2_000_000 };

/** Consecutive events, the first with number `first`. */
export interface EventRun {
  first: number;
  list: string[];
}

/** The events of a document until the hub has confirmed them. An event starts with `1` if it is a warning or an error. */
export class PendingEvents {
  private readonly queue = new BoundedQueue<string>(LIMITS);

  add(text: string): number {
    return this.queue.add(
      () => text,
      ({ length }) => length,
      text.startsWith("1"),
    ).seq;
  }

  /** Forgets events that have arrived. */
  confirm(seq: number): void {
    this.queue.confirm(seq);
  }

  get isEmpty(): boolean {
    return this.queue.length === 0;
  }

  /** The unconfirmed events with a number above `after`, in runs of consecutive numbers. */
  *runs(after = 0, maxLength = 100): Generator<EventRun> {
    let run: EventRun | undefined;
    for (const { seq, item } of this.queue.after(after).items) {
      if (run && (seq !== run.first + run.list.length || run.list.length >= maxLength)) {
        yield run;
        run = undefined;
      }
      run ??= { first: seq, list: [] };
      run.list.push(item);
    }
    if (run) yield run;
  }

  /** How many events were dropped since the last call because the queue was full. */
  drainDropped(): number {
    return this.queue.drainDropped();
  }
}
