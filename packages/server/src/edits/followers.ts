import { originAt } from "../dispatch/site.js";
import type { Session } from "../sessions/session.js";
import type { EditTracker } from "./edit-tracker.js";

/**
 * The tabs and launched browsers that show a page of the app now. A development server reports edits to the session of the SDK in
 * its pages, and knows no other.
 */
export function followersOf(app: Session, all: readonly Session[]): EditTracker[] {
  const { origin } = app.summary();
  const isDriven = ({ kind }: Session): boolean => kind === "tab" || kind === "browser";
  const shows = (other: Session): boolean => originAt(other.summary().url ?? "") === origin;
  if (origin === undefined) return [];
  return all.filter((other) => isDriven(other) && shows(other)).map(({ edits }) => edits);
}
