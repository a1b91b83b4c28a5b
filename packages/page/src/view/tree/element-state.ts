import type { UiTreeItem } from "@debug-bridge/protocol";
import type { Masker } from "../../privacy/masker.js";
import type { Traits } from "../elements/describe.js";
import type { Root } from "../elements/dom.js";
import { nameOf } from "../elements/names.js";
import type { SelectorMaker } from "../elements/selectors.js";
import type { Visibility, VisibilityChecker } from "../elements/visibility.js";
import type { Entry } from "./ui-tree.js";
import { sameMeta } from "./ui-tree-history.js";

export interface Known extends Entry {
  traits: Traits;
  live: string;
  selector: string;
  section: string | undefined;
  visibility: Visibility;
  /** Where it was when that was found out. */
  place: string;
  /** Named by another element, whose changes are not its own. */
  labelled: boolean;
  /** Where it is in the tree. */
  index: number;
  item: UiTreeItem;
  name: string;
}

/** What looking at many elements at one moment shares. */
export interface Look {
  readonly selectors: SelectorMaker;
  /** Whether selectors from before may lead elsewhere now. */
  readonly placesChanged: boolean;
  readonly visibilities: VisibilityChecker;
  readonly sections: Map<Element, string>;
}

/** Only scrolled out of view. */
export function isAway({ visible, hiddenBy }: Visibility): boolean {
  return visible && hiddenBy === "off-screen";
}

/** On the screen, with nothing over it. */
export function isSeen({ visible, hiddenBy, letsPressThrough }: Visibility): boolean {
  return visible && hiddenBy === undefined && letsPressThrough !== true;
}

/** Whether two places differ only in where they are. */
export function isSameSize(place: string, other: string): boolean {
  const size = (text: string): string => text.replace(/^[^,]*,[^,]*/, "");
  return place !== "" && size(place) === size(other);
}

/** What is on the screen, hidden, named by others, or holds something that a person enters. */
export function isRestless({ visibility, labelled, element }: Known): boolean {
  return !isAway(visibility) || labelled || /^(?:input|select|textarea)$/.test(element.localName);
}

/** Whether one of these elements may lie over this one. */
export function isUnder(element: Element, others: ReadonlySet<Element>): boolean {
  if (others.size === 0) return false;
  const { x, y, right, bottom } = element.getBoundingClientRect();
  for (const other of others) {
    const box = other.getBoundingClientRect();
    const overlaps = box.x < right && box.right > x && box.y < bottom && box.bottom > y;
    if (overlaps && !other.contains(element)) return true;
  }
  return false;
}

export function placeOf(element: Element): string {
  if (!element.checkVisibility()) return "";
  const { x, y, width, height } = element.getBoundingClientRect();
  return `${x},${y},${width},${height}`;
}

/** What decides about where things are, as far as no mutation reports it. */
export interface Geometry {
  readonly size: string;
  readonly scrolling: string;
}

/** Size and scrolling of every document that could move things in and out of view. */
export function geometryOf(roots: readonly Root[], isSmall: boolean): Geometry {
  let size = "";
  let scrolling = "";
  for (const root of roots) {
    const view = root.nodeType === 9 ? (root as Document).defaultView : null;
    const page = view && (root as Document).documentElement;
    if (!page) continue;
    size += `${view.innerWidth},${view.innerHeight},${isSmall && page.scrollHeight};`;
    scrolling += `${view.scrollX},${view.scrollY};`;
  }
  return { size, scrolling };
}

export function sameTraits(a: Traits, b: Traits): boolean {
  return (
    a.role === b.role &&
    a.name === b.name &&
    a.text === b.text &&
    a.disabled === b.disabled &&
    sameMeta(a.meta, b.meta)
  );
}

/** What changes in a control without a mutation. */
export function liveState(element: Element): string {
  const { localName } = element;
  if (localName === "input") {
    const { type, checked, indeterminate, value } = element as HTMLInputElement;
    return type === "checkbox" || type === "radio" ? `${checked}${indeterminate}` : value;
  }
  return localName === "select" || localName === "textarea" ? (element as HTMLTextAreaElement).value : "";
}

export function sectionOf(
  heading: Element | undefined,
  sections: Map<Element, string>,
  masker: Masker,
): string | undefined {
  if (!heading) return undefined;
  let section = sections.get(heading);
  if (section === undefined) {
    section = nameOf(heading, masker).slice(0, 120);
    sections.set(heading, section);
  }
  return section || undefined;
}
