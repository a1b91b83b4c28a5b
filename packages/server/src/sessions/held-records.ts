import { BridgeError } from "@debug-bridge/protocol";
import type { Entry, Timeline } from "../timeline/timeline.js";

interface Waiting {
  readonly sequence: number;
  resolve(): void;
  reject(error: BridgeError): void;
}

/**
 * Records of a session that others continue when its hub is lost: readers see a record, and its number, once it is stored. So the
 * hub that continues the session gives no number a second time.
 */
export class HeldRecords {
  private entries: Entry[] = [];
  private waiting: Waiting[] = [];
  /** Whether another hub continues the session: nothing that is recorded here from then on is shown or acknowledged. */
  private isTaken = false;

  constructor(
    private readonly timeline: Timeline,
    private readonly publish: (entry: Entry) => void,
  ) {}

  /** A record that was just appended; `isHeld`: readers wait until `release` is called for it. */
  add(entry: Entry, isHeld: boolean): void {
    if (this.isTaken) return;
    if (this.entries.length === 0 && !isHeld) {
      this.publish(entry);
      return;
    }
    if (this.entries.length === 0) this.timeline.showUpTo(entry.sequence - 1);
    this.entries.push(entry);
    if (!isHeld) this.release(entry.sequence);
  }

  /** Publishes the records up to this one, in their order. */
  release(sequence: number): void {
    const count = this.entries.findIndex((entry) => entry.sequence > sequence);
    const released = count < 0 ? this.entries : this.entries.slice(0, count);
    this.entries = count < 0 ? [] : this.entries.slice(count);
    for (const entry of released) {
      this.timeline.showUpTo(entry.sequence);
      this.publish(entry);
    }
    if (this.entries.length === 0) this.timeline.showUpTo(Number.POSITIVE_INFINITY);
    const waiting = this.waiting;
    this.waiting = waiting.filter((each) => each.sequence > sequence);
    for (const each of waiting) if (each.sequence <= sequence) each.resolve();
  }

  /** Resolves when everything recorded so far is published; `undefined` when it is. */
  settled(): Promise<void> | undefined {
    if (this.isTaken) return Promise.reject(takenOver());
    const last = this.entries.at(-1);
    if (!last) return undefined;
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
