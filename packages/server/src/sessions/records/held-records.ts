import { BridgeError } from "@debug-bridge/protocol";
import type { Entry, Timeline } from "../../timeline/timeline.js";
import { DroppedRecords } from "./dropped-records.js";

interface Waiting {
  readonly sequence: number;
  resolve(): void;
  reject(error: BridgeError): void;
}

/**
 * Who waits for a record until it is stored: nobody, readers and the answers to commands, or, when nothing is stored for a while,
 * readers only.
 */
export type Hold = "nobody" | "readers" | "readers and answers";

/** Where records go. */
export interface RecordPort {
  /** Whether no more records can be stored. */
  isFull(): boolean;
  /** Stores a record; returns who waits until `release` is called for it. */
  store(entry: Entry): Hold;
  /** Shows a record to readers. */
  publish(entry: Entry): void;
}

/**
 * Records of a session that others continue when its hub is lost: readers see a record, and its number, once it is stored. So the
 * hub that continues the session gives no number a second time that a reader has seen.
 */
export class HeldRecords {
  private entries: Entry[] = [];
  private waiting: Waiting[] = [];
  /** Whether another hub continues the session: nothing that is recorded here from then on is shown or acknowledged. */
  private isTaken = false;
  /** Answers do not wait for records up to this one. */
  private answerable = 0;

  private readonly dropped: DroppedRecords;

  constructor(
    private readonly timeline: Timeline,
    private readonly port: RecordPort,
  ) {
    this.dropped = new DroppedRecords(timeline);
  }

  /** How many records readers do not see yet, although nobody else waits for them. */
  get delayed(): number {
    const count = this.entries.findIndex(({ sequence }) => sequence > this.answerable);
    return count < 0 ? this.entries.length : count;
  }

  /** Appends a record to the timeline, and shows it as soon as it may be shown. */
  append(type: string, at: number, json: string, causedBy?: number, source?: string): Entry {
    if (this.port.isFull() && !this.isTaken) {
      const { entry, isNew } = this.dropped.add(at);
      if (isNew) this.hold(entry, this.port.store(entry));
      return entry;
    }
    this.dropped.end();
    const entry = this.timeline.append(type, at, json, causedBy, source);
    this.hold(entry, this.port.store(entry));
    return entry;
  }

  private hold(entry: Entry, hold: Hold): void {
    if (this.isTaken) return;
    if (this.entries.length === 0 && hold === "nobody") {
      this.port.publish(entry);
      return;
    }
    if (this.entries.length === 0) this.timeline.showUpTo(entry.sequence - 1);
    this.entries.push(entry);
    if (hold === "nobody") this.release(entry.sequence);
    else if (hold === "readers") this.answer(entry.sequence);
  }

  /** Publishes the records up to this one, in their order. */
  release(sequence: number): void {
    const count = this.entries.findIndex((entry) => entry.sequence > sequence);
    const released = count < 0 ? this.entries : this.entries.slice(0, count);
    this.entries = count < 0 ? [] : this.entries.slice(count);
    for (const entry of released) {
      this.timeline.showUpTo(entry.sequence);
      this.port.publish(entry);
    }
    if (this.entries.length === 0) this.timeline.showUpTo(Number.POSITIVE_INFINITY);
    this.answer(sequence);
  }

  /** Lets answers go that wait for records up to this one, whether or not these are stored. */
  answer(sequence: number): void {
    this.answerable = Math.max(this.answerable, sequence);
    const { waiting } = this;
    this.waiting = waiting.filter((each) => each.sequence > sequence);
    for (const each of waiting) if (each.sequence <= sequence) each.resolve();
  }

  /** Resolves when answers need not wait for anything recorded so far; `undefined` when they need not. */
  settled(): Promise<void> | undefined {
    if (this.isTaken) return Promise.reject(takenOver());
    const last = this.entries.at(-1);
    if (!last || last.sequence <= this.answerable) return undefined;
    return new Promise((resolve, reject) => {
      this.waiting.push({ sequence: last.sequence, resolve, reject });
    });
  }

  /** Another hub continues the session, without what this one had not stored. An answer of the page may still come. */
  giveUp(): void {
    this.isTaken = true;
    this.drop();
  }

  drop(): void {
    const { waiting } = this;
    this.entries = [];
    this.waiting = [];
    for (const { reject } of waiting) reject(takenOver());
  }
}

function takenOver(): BridgeError {
  return new BridgeError(
    "outcome_unknown",
    "another hub took the session over before this hub had stored the result; look at the page before you send the command again",
  );
}
