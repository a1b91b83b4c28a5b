import type { AppMessage, Edit } from "@debug-bridge/protocol";

type EditEffect = Extract<AppMessage, { type: "edit_effect" }>;

/** Instead of ids, where the page does not know them. */
export const ALL_EDITS = "*";
/** A development server that has not reported an edit after this time will not. */
const REPORT_TIMEOUT_MS = 10_000;
const MAX_KEPT = 20;

/**
 * What pages reported of edits that the development server has not reported yet: it builds an edit before it does, and on a busy
 * machine pages are faster.
 */
export class EarlyEffects {
  private kept: { readonly effect: EditEffect; readonly at: number }[] = [];

  keep(effect: EditEffect, now: number): void {
    this.kept.push({ effect, at: now });
    if (this.kept.length > MAX_KEPT) this.kept.shift();
  }

  /** What a page reported about this edit. One that does not know ids means it only if it reported after pages were notified. */
  find(edit: Edit, now: number): EditEffect | undefined {
    this.kept = this.kept.filter(({ at }) => now - at < REPORT_TIMEOUT_MS);
    const found = this.kept.find(
      ({ effect: { edits, reloaded }, at }) =>
        edits.includes(edit.id) ||
        (((reloaded && edits.length === 0) || edits.includes(ALL_EDITS)) && at > (edit.at ?? now)),
    );
    return found?.effect;
  }
}
