import type { ReplayPart } from "../../data/timeline-reader.js";
import { fieldsOf, numberOf } from "../../details/fields.js";
import { type ChangedBox, outermost } from "../changed-boxes.js";
import { changedNodes } from "./changed-nodes.js";
import { ReplayDocument } from "./replay-document.js";

/** For what is not in a replay. */
const BASE = `[data-left-out]{display:inline-block;min-width:8px;min-height:8px;outline:1px dashed #8888;outline-offset:-1px;
background:repeating-linear-gradient(45deg,#8882 0 6px,#8884 6px 12px)}
html{pointer-events:none}`;

/** How many events the whole page takes, at least. */
const WHOLE_PAGE = 3;

/** Shows a replay in the document of a frame that runs no scripts. */
export class ReplayPlayer {
  private document: ReplayDocument | undefined;
  private events: unknown[] = [];
  private applied = 0;
  /** What is loaded of which segment. */
  known: Pick<ReplayPart, "segment" | "next"> = { segment: 0, next: 0 };

  constructor(private readonly page: Document) {}

  /** Adds what was read; another segment replaces the one before. */
  add({ segment, next, lists }: ReplayPart): void {
    if (segment !== this.known.segment) {
      this.events = [];
      this.document = undefined;
    }
    this.known = { segment, next };
    for (const list of lists) for (const event of list) this.events.push(event);
  }

  /**
   * Boxes around what changed between two moments, as far as it is in what is shown now. `undefined` when nothing
   * changed that a replay has.
   */
  changes(from: number, to: number): readonly ChangedBox[] | undefined {
    const first = this.countUntil(from);
    const changed = changedNodes(this.events.slice(first, this.countUntil(to)), this.events.slice(0, first));
    if (changed.length === 0) return undefined;
    return outermost(changed.flatMap((id) => this.document?.boxOf(id) ?? []));
  }

  /** Shows the page as it was at a moment, at the end without one. Returns its size and the time of what is shown. */
  show(at = Number.POSITIVE_INFINITY): {
    readonly width: number;
    readonly height: number;
    readonly at: number;
  } {
    if (!this.document || timeOf(this.events[this.applied - 1]) > at) {
      this.document = new ReplayDocument(this.page, BASE);
      this.applied = 0;
    }
    const { document } = this;
    for (const count = this.countUntil(at); this.applied < count; )
      document.apply(this.events[this.applied++]);
    document.finish();
    const { width, height } = document;
    return { width, height, at: timeOf(this.events[this.applied - 1]) };
  }

  /** The element that is shown for an id of the events. */
  elementOf(id: number): Element | undefined {
    return this.document?.elementOf(id);
  }

  /** How many events lead to a moment. The first ones are the whole page: without them there is nothing to show. */
  private countUntil(at: number): number {
    const later = this.events.findIndex((event, index) => index >= WHOLE_PAGE && timeOf(event) > at);
    return later === -1 ? this.events.length : later;
  }
}

function timeOf(event: unknown): number {
  return numberOf(fieldsOf(event).timestamp) ?? 0;
}
