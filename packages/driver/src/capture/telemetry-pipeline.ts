import { Masker, maskRecord, type TelemetryBody } from "@debug-bridge/page/records";
import { BoundedQueue } from "@debug-bridge/protocol";
import { ChangeNotifier } from "../change-notifier.js";

/** Records that wait for the page. Above it the oldest are dropped, and a gap reports how many. */
const MAX_WAITING = 2_000;
const BATCH_SIZE = 200;
const FLUSH_TIMEOUT_MS = 1_000;

export interface PipelineOptions {
  /** Passes records to the engine in the page, which masks and emits them. False when no engine is there. */
  sendToPage(records: readonly TelemetryBody[]): Promise<boolean>;
  /** Emits a record that no engine accepted. */
  emit(record: TelemetryBody): void;
}

/**
 * Records that CDP captured, on their way through the page: there they are masked by what was typed into it, and
 * become part of receipts. They keep their order, even when some must be described first.
 */
export class TelemetryPipeline {
  private readonly waiting = new BoundedQueue<TelemetryBody | Promise<TelemetryBody>>({
    maxItems: MAX_WAITING,
    maxSize: Infinity,
  });
  private draining = false;
  private added = 0;
  /** Emitted or dropped. */
  private done = 0;
  private readonly moved = new ChangeNotifier();
  /** Masks records when there is no document to do it. */
  private readonly masker = new Masker();

  constructor(private readonly options: PipelineOptions) {}

  add(record: TelemetryBody | Promise<TelemetryBody>): void {
    this.waiting.add(
      () => record,
      () => 0,
    );
    this.added++;
    if (!this.draining) void this.drain();
  }

  /** Waits until every record so far was emitted, at most a second: the page may be stuck. Later ones are not waited for. */
  async flush(): Promise<void> {
    const { added } = this;
    const ends = performance.now() + FLUSH_TIMEOUT_MS;
    while (this.done < added && performance.now() < ends) await this.moved.wait(ends - performance.now());
  }

  private async drain(): Promise<void> {
    this.draining = true;
    // Records of the same turn go in one batch.
    await null;
    while (this.waiting.length > 0) {
      const batch = this.waiting.after(0).items.slice(0, BATCH_SIZE);
      this.waiting.confirm(batch.at(-1)?.seq ?? 0);
      const dropped = this.waiting.drainDropped();
      const records = await Promise.all(batch.map(({ item }) => item));
      if (dropped > 0)
        records.unshift({ type: "gap", dropped, reason: `too many events; ${dropped} were dropped` });
      const sent = await this.options.sendToPage(records).catch(() => false);
      if (!sent) for (const record of records) this.options.emit(maskRecord(record, this.masker));
      this.done += batch.length + dropped;
      this.moved.notify();
    }
    this.draining = false;
  }
}
