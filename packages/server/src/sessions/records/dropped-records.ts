import type { GapData } from "@debug-bridge/protocol";
import type { Entry, Timeline } from "../../timeline/timeline.js";

/** A `gap` record that counts until it is stored. */
class CountingGap implements Entry {
  readonly type = "gap";
  readonly causedBy = undefined;
  readonly source = "";
  dropped = 1;

  constructor(
    readonly at: number,
    readonly sequence: number,
  ) {}

  get json(): string {
    const gap: GapData = {
      dropped: this.dropped,
      reason: "the bus stored nothing, and no more could wait for it",
    };
    return JSON.stringify(gap);
  }
}

/** Records that cannot be kept: one `gap` record stands for all that follow each other. */
export class DroppedRecords {
  private gap: CountingGap | undefined;

  constructor(private readonly timeline: Timeline) {}

  /** Counts a record that is dropped; returns the record in its place, which is new for the first of them. */
  add(at: number): { readonly entry: Entry; readonly isNew: boolean } {
    if (this.gap) {
      this.gap.dropped++;
      return { entry: this.gap, isNew: false };
    }
    this.gap = new CountingGap(at, this.timeline.next);
    this.timeline.appendEntry(this.gap);
    return { entry: this.gap, isNew: true };
  }

  /** Records can be kept again. */
  end(): void {
    this.gap = undefined;
  }
}
