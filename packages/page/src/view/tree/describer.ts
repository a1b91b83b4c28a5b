import { describe } from "../elements/describe.js";
import { containsAcross } from "../elements/dom.js";
import type { Found } from "../elements/interactive.js";
import {
  isAway,
  isSameSize,
  isSeen,
  isUnder,
  type Known,
  type Look,
  liveState,
  placeOf,
  sameTraits,
  sectionOf,
} from "./element-state.js";
import { makeItem } from "./make-item.js";
import { Overlaps } from "./overlaps.js";
import type { Staleness } from "./staleness.js";
import type { UiTreeOptions } from "./ui-tree.js";

/** Describes elements, as far as what is known of them may no longer hold. */
export class Describer {
  /** Anything may be elsewhere. */
  geometryChanged = true;
  /** There are so few elements that all are looked at each time. */
  areFew = true;
  private overlaps: Overlaps | undefined;
  private onScreen: ReadonlySet<Element> | undefined;

  constructor(
    private readonly options: Pick<UiTreeOptions, "masker" | "refs" | "ids">,
    private readonly stale: Staleness,
  ) {}

  /** All elements on the screen, if they are known. */
  setScreen(elements: readonly Element[] | undefined): void {
    this.onScreen = elements && new Set(elements);
    this.overlaps = undefined;
  }

  /** What is known of an element now; the same object when nothing is different. */
  update({ element, heading }: Found, before: Known | undefined, look: Look): Known {
    const { selectors, placesChanged, visibilities, sections } = look;
    const section = sectionOf(heading, sections, this.options.masker);
    const live = liveState(element);
    const selector = before && !placesChanged ? before.selector : selectors.of(element);
    const place = before && !this.mayLookDifferent(before, element) ? before.place : placeOf(element);
    const visibility =
      before && !this.mustLook(before, element, place) ? before.visibility : visibilities.of(element);
    const isKept = before && before.live === live && !this.isStale(element, before.labelled);
    // What is on the screen is always described again: style sheets change texts, and nothing reports it.
    const traits =
      isKept && (isAway(visibility) || visibility.hiddenBy === "hidden")
        ? before.traits
        : describe(element, this.options.masker);
    if (
      isKept &&
      (traits === before.traits || sameTraits(traits, before.traits)) &&
      selector === before.selector &&
      section === before.section &&
      visibility.visible === before.item.visible &&
      visibility.hiddenBy === before.item.hiddenBy
    ) {
      before.place = place;
      before.visibility = visibility;
      return before;
    }
    const item = makeItem({ element, traits, selector, visibility, section }, this.options);
    const labelled = element.hasAttribute("aria-labelledby");
    const key = before?.key ?? this.options.refs.anchorOf(element);
    return {
      key,
      element,
      traits,
      live,
      selector,
      section,
      visibility,
      place,
      labelled,
      index: before?.index ?? 0,
      item,
      name: traits.name,
    };
  }

  isStale(element: Element, labelled: boolean): boolean {
    const { stale } = this;
    if (stale.everything || stale.elements.has(element)) return true;
    if (stale.elements.size > 0 && labelled) return true;
    for (const outer of stale.subtrees) if (containsAcross(outer, element)) return true;
    return false;
  }

  /**
   * What is on the screen or hidden may look different at any time: style sheets and the pointer change it, and nothing
   * reports that. On a large page, what is off the screen is asked again only when something moved.
   */
  private mayLookDifferent(before: Known, element: Element): boolean {
    if (!isAway(before.visibility) || this.areFew) return true;
    return this.onScreen?.has(element) === true || this.hasMoved(element);
  }

  /** On a large page, asking what is drawn at a point takes its time: only where something may have come or gone. */
  private mustLook({ place, visibility }: Known, element: Element, now: string): boolean {
    if (visibility.hiddenBy === "occluded") return true;
    if (now !== place) return !isSeen(visibility) || !isSameSize(place, now) || this.mayBeHidden(element);
    if (isAway(visibility)) return this.hasMoved(element);
    return this.areFew || this.hasMoved(element) || isUnder(element, this.stale.moved);
  }

  private mayBeHidden(element: Element): boolean {
    if (this.areFew || !this.onScreen) return true;
    this.overlaps ??= new Overlaps(this.onScreen);
    return this.overlaps.mayHide(element);
  }

  /** Whether it may have come into view or left it. */
  hasMoved(element: Element): boolean {
    const { everything, moved, elements } = this.stale;
    if (this.geometryChanged || everything || elements.has(element)) return true;
    for (const node of moved) if (node.contains(element)) return true;
    return false;
  }
}
