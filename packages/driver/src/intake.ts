import { Masker, maskRecord, type TelemetryBody } from "@debug-bridge/page/records";
import { Signal } from "./signal.js";

/** What the page has not taken yet; beyond it the oldest are dropped, and a gap says so. */
const MOST_WAITING = 2_000;
const BATCH = 200;

export interface IntakeOptions {
  /** Hands records to the engine in the page, which masks them and tells of them. False when there is none. */
  toPage(records: readonly TelemetryBody[]): Promise<boolean>;
  /** Tells of a record that no engine took. */
  tell(record: TelemetryBody): void;
}

/**
 * Records that CDP captured, on their way through the page: there they are masked by what was typed into it, and
 * become part of receipts. They keep their order, also when some must be described first.
 */
export class Intake {
  private waiting: (TelemetryBody | Promise<TelemetryBody>)[] = [];
  private dropped = 0;
  private draining = false;
  private readonly drained = new Signal();
  /** Masks what comes when no document is there to do it. */
  private readonly masker = new Masker();

  constructor(private readonly options: IntakeOptions) {}

  put(record: TelemetryBody | Promise<TelemetryBody>): void {
    this.waiting.push(record);
    if (this.waiting.length > MOST_WAITING) {
      this.waiting.shift();
      this.dropped++;
    }
    if (!this.draining) void this.drain();
  }

  /** Waits until everything that came so far was told, at most so long. */
  async empty(maxMs: number): Promise<void> {
    const ends = performance.now() + maxMs;
    while (this.draining && performance.now() < ends) await this.drained.wait(ends - performance.now());
  }

  private async drain(): Promise<void> {
    this.draining = true;
    // What came in the same turn goes in one piece.
    await null;
    while (this.waiting.length > 0) {
      const records = await Promise.all(this.waiting.splice(0, BATCH));
      if (this.dropped > 0) {
        records.unshift({
          type: "gap",
          dropped: this.dropped,
          reason: "the page told more than could be taken in",
        });
        this.dropped = 0;
      }
      const taken = await this.options.toPage(records).catch(() => false);
      if (!taken) for (const record of records) this.options.tell(maskRecord(record, this.masker));
    }
    this.draining = false;
    this.drained.fire();
  }
}
