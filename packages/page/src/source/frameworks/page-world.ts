import { ofAngular } from "./angular.js";
import { ofAttributes } from "./attributes.js";
import { type ListenersOf, ofListeners } from "./listeners.js";
import { litElements } from "./lit.js";
import { ofMarks } from "./marked.js";
import { ofPreact, preactNodes } from "./preact.js";
import { ofReact } from "./react.js";

/** Answers where an element comes from; empty when nothing says it. Made for one search. */
export type SourceOf = (element: Element) => string;

/** The page's own world, asked from the engine's. */
export interface PageWorld {
  /** Where elements come from: of the whole page at once, or of each element when it is asked for. */
  sources(isAll: boolean): SourceOf;
  /** The components around an element, as `readComponents` returns them; `undefined` when that world cannot be asked. */
  components(element: Element): string | undefined;
  /** The end of the address of one request of our own. It is used once, and nobody else can know it. */
  ownMark(): string;
}

/**
 * Reads what elements themselves say about where they come from (see `forms.ts`). What frameworks attach to elements can be read only
 * in the page's own world, and may be anything there.
 */
export function sourceReader(listenersOf?: ListenersOf): SourceOf {
  const nodeOfPreact = preactNodes();
  const ofLit = litElements();
  const readers: readonly SourceOf[] = [
    ...[ofAttributes, ofMarks, ofReact, ofAngular],
    (element) => ofPreact(nodeOfPreact(element)),
    ofLit,
    (element) => ofListeners(element, listenersOf),
  ];
  return (element) => {
    for (const read of readers) {
      try {
        const location = read(element);
        if (location) return location;
      } catch {
        // Whatever the page put there.
      }
    }
    return "";
  };
}
