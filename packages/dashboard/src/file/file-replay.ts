import type { ReplayPart } from "../data/timeline-reader.js";

interface Segment {
  readonly at: number;
  readonly lists: (readonly unknown[])[];
  end?: number;
}

/** The replay that a file holds, in segments that begin with the whole page. */
export class FileReplay {
  private readonly segments = new Map<number, Segment>();

  get isEmpty(): boolean {
    return this.segments.size === 0;
  }

  /** Adds a list of events. The file may say anything: the player takes nothing for granted. */
  add(at: number, events: readonly unknown[]): void {
    const segment = this.segments.get(at) ?? { at, lists: [] };
    segment.lists.push(events);
    this.segments.set(at, segment);
  }

  /** From this time on a segment says nothing more about the page. */
  end(at: number, end: number): void {
    const segment = this.segments.get(at);
    if (segment) segment.end = end;
  }

  /** Ends each segment at the next of these moments. */
  endAt(times: readonly number[]): void {
    for (const segment of this.segments.values()) {
      const later = [...times, ...this.segments.keys()].filter((time) => time > segment.at);
      if (later.length > 0) segment.end ??= Math.min(...later);
    }
  }

  read(at: number | "last", known: Pick<ReplayPart, "segment" | "next">): ReplayPart | undefined {
    const ordered = [...this.segments.values()].sort((a, b) => a.at - b.at);
    const found =
      at === "last"
        ? ordered.at(-1)
        : ordered.findLast((each) => each.at <= at && (each.end ?? Number.POSITIVE_INFINITY) > at);
    if (!found) return undefined;
    const since = found.at === known.segment ? known.next : 0;
    const { end, lists } = found;
    return {
      ...{ segment: found.at, next: lists.length, lists: lists.slice(since) },
      ...(end === undefined ? {} : { end }),
    };
  }
}
