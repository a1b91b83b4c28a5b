import { setImmediate as nextTurn } from "node:timers/promises";
import {
  emptyColumns,
  factsOf,
  parseOrNothing,
  type TimelineColumns,
  type TimelineSource,
} from "@debug-bridge/protocol/timeline";
import { recordJson, type Timeline } from "./timeline.js";

/** The records of a live session that the hub keeps, for readers who page through them. */
export class WindowTimeline implements TimelineSource {
  readonly columns: TimelineColumns = emptyColumns();
  readonly progress = 1;
  readonly pause = (): Promise<void> => nextTurn();

  constructor(private readonly timeline: Timeline) {}

  /** How many of the records that it lists have left the window. */
  get gone(): number {
    const [first] = this.timeline.readSince(0, 1).entries;
    return first ? this.columns.firstFrom(first.sequence) : this.columns.length;
  }

  async extend(): Promise<boolean> {
    const { columns, timeline } = this;
    const last = columns.length === 0 ? 0 : (columns.sequences[columns.length - 1] as number);
    for (const { type, at, sequence, json, causedBy = 0 } of timeline.readSince(last).entries)
      columns.push({
        ...factsOf(type, () => parseOrNothing(json)),
        sequence,
        at,
        cause: causedBy,
        offset: 0,
      });
    return true;
  }

  read(position: number): string | undefined {
    const sequence = this.columns.sequences[position] as number;
    const [entry] = this.timeline.readSince(sequence - 1, 1).entries;
    return entry?.sequence === sequence ? recordJson(this.timeline.sessionId, entry) : undefined;
  }
}
