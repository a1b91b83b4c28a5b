/** Who saw a console line: the SDK in the app, or the extension in the tab. */
export type Witness = "sdk" | "extension";

export interface Sighting {
  readonly witness: Witness;
  readonly level: string;
  /** The first argument, when it is text: what both witnesses see alike. */
  readonly text: string;
  /** When the page called, in milliseconds. */
  readonly at: number;
}

/** Both witnesses take the time in the page, at the same call. */
const SAME_CALL_MS = 150;
const MOST_WAITING = 256;
const COMPARED = 100;

/**
 * Tells whether a console line is the second report of a call that another witness reported first: an app that has the
 * SDK and runs in a tab with the extension shows each line once. Pure: the time comes with the sightings.
 */
export class Twins {
  private readonly waiting: Record<Witness, Sighting[]> = { sdk: [], extension: [] };

  /** True when the other witness reported this call before. Costs next to nothing while there is only one. */
  isTwin(seen: Sighting): boolean {
    const others = this.waiting[seen.witness === "sdk" ? "extension" : "sdk"];
    const twin = others.findIndex((other) => isSameCall(other, seen));
    if (twin !== -1) {
      others.splice(0, twin + 1);
      return true;
    }
    const own = this.waiting[seen.witness];
    own.push(seen);
    if (own.length > 2 * MOST_WAITING) own.splice(0, MOST_WAITING);
    return false;
  }
}

function isSameCall(one: Sighting, other: Sighting): boolean {
  return (
    one.level === other.level &&
    Math.abs(one.at - other.at) <= SAME_CALL_MS &&
    one.text.slice(0, COMPARED) === other.text.slice(0, COMPARED)
  );
}
