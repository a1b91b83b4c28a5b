import { addLine } from "./add-line.js";
import type { TimelineColumns } from "./columns.js";
import { emptyColumns, type TimelineSource } from "./source.js";

/** The records of a recording whose lines are in memory, as a page has them that reads a file. */
export class LinesTimeline implements TimelineSource {
  readonly columns: TimelineColumns = emptyColumns();
  readonly progress = 1;
  private readonly lines: string[] = [];

  constructor(readonly pause: () => Promise<void>) {}

  /** Adds a line; false when it is not a record. */
  add(line: string): boolean {
    if (!addLine(this.columns, line, 0)) return false;
    this.lines.push(line);
    return true;
  }

  async extend(): Promise<boolean> {
    return true;
  }

  read(position: number): string | undefined {
    return this.lines[position];
  }
}
