import type { PageView } from "../../view.js";
import { type Reading, readingChanges, readPage, readsTheSame } from "./reading.js";

const MAX_KEPT = 6;

/** What the page read like at the versions that were handed out, so that later ones can be compared with them. */
export class Readings {
  private readonly kept = new Map<number, Reading>();

  /**
   * Reads the page. What reads different from what the version stood for until now gets a separate version; if it is to
   * be compared with an earlier one, also what looks different.
   */
  read(view: PageView, isCompared: boolean): Reading {
    const { tree } = view;
    tree.refresh();
    const same = this.kept.get(tree.version);
    if (same && !isCompared) {
      const text = readPage(view, false);
      if (readsTheSame(view, same, text)) return text;
    }
    const reading = readPage(view);
    if (same) {
      const { text, looks } = readingChanges(view, same, reading, false);
      if (text.added.length + text.removed.length + text.passing.length + looks.length === 0) return reading;
      tree.advance();
    }
    this.kept.set(tree.version, reading);
    for (const version of this.kept.keys()) if (this.kept.size > MAX_KEPT) this.kept.delete(version);
    return reading;
  }

  at(version: number): Reading | undefined {
    return this.kept.get(version);
  }
}
