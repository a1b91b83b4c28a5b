import { FIELD_LIMITS, type UiTreeItem } from "@debug-bridge/protocol";
import { platform } from "../../inert/platform.js";
import type { Masker } from "../../privacy/masker.js";
import { glance } from "../../privacy/private-elements.js";
import { describe } from "../elements/describe.js";
import { containsAcross, documentIn, type Root } from "../elements/dom.js";
import { type Found, sweep } from "../elements/interactive.js";
import type { Reacts } from "../elements/reacting.js";
import { headingLevel } from "../elements/roles.js";
import { SelectorMaker } from "../elements/selectors.js";
import { Sightings } from "../elements/visibility.js";
import type { Numbers } from "../text/numbers.js";
import type { DomWatch } from "../watch.js";
import { customEntries } from "./custom-items.js";
import {
  geometryOf,
  isAway,
  isRestless,
  isUnder,
  type Known,
  type Look,
  liveState,
  placeOf,
  sameTraits,
  sectionOf,
} from "./element-state.js";
import type { Ids } from "./ids.js";
import { makeItem } from "./make-item.js";
import type { Refs } from "./refs.js";
import { groupsOf, refsInRows } from "./row-refs.js";
import { type Context, Rows } from "./rows.js";
import { Staleness } from "./staleness.js";
import { type Difference, UiTreeHistory } from "./ui-tree-history.js";

/** An element of the tree with what is known of it. */
export interface Entry {
  readonly key: number;
  readonly element: Element;
  readonly item: UiTreeItem;
  /** The accessible name, even when the item does not repeat it. */
  readonly name: string;
}

export interface UiTreeOptions {
  readonly page: Document;
  readonly masker: Masker;
  readonly refs: Refs;
  readonly ids: Ids;
  readonly watch: DomWatch;
  readonly isOurs: (node: Node) => boolean;
  /** Looks up what reacts now. */
  readonly reacting: () => Reacts;
  readonly versions: Numbers;
  readonly getUiTreeItems?: (() => readonly UiTreeItem[]) | undefined;
}

/**
 * The interactive elements of the page. Brought up to date on demand: only what mutation records have invalidated since
 * the last time is described again, so that an update after one change costs a fraction of the first.
 */
export class UiTree {
  version: number;
  entries: readonly Entry[] = [];
  roots: readonly Root[] = [];
  private known = new Map<Element, Known>();
  private found: Found[] = [];
  private frames: ReadonlyMap<Element, Document | null> = new Map();
  private readonly stale = new Staleness();
  private readonly history: UiTreeHistory;
  private readonly rows = new Rows();
  /** Places of elements that may change without a mutation. */
  private restless = new Set<number>();
  private geometry = "";
  private geometryChanged = true;
  private isDoubtful = false;

  constructor(private readonly options: UiTreeOptions) {
    this.version = options.versions.next();
    this.history = new UiTreeHistory(this.version);
    options.watch.listen((records) => this.stale.add(records));
  }

  /** Something moved that no mutation reports: a scroll inside the page, the end of an animation. */
  recordMovement(): void {
    this.geometry = "";
  }

  /** Something may be usable now that no mutation reports: a new listener, a shadow root. */
  doubt(): void {
    this.isDoubtful = true;
  }

  /** Updates the tree; the version increases when anything is different. */
  refresh(): this {
    this.options.watch.flush();
    const { getUiTreeItems } = this.options;
    const next = getUiTreeItems ? customEntries(getUiTreeItems(), this.options) : this.builtIn();
    const version = this.history.compare(this.entries, next, this.options.versions);
    if (version) this.moveTo(version);
    this.entries = next;
    return this;
  }

  items(): UiTreeItem[] {
    return this.entries.slice(0, FIELD_LIMITS.uiItems).map((entry) => entry.item);
  }

  /** What is different since a version; `undefined` when that is too long ago to know. */
  since(version: number): Difference | undefined {
    return version > this.version ? undefined : this.history.since(version);
  }

  entryOf(element: Element): Entry | undefined {
    return this.byElement.get(element);
  }

  /** How many elements a person could use, wherever they are on the page. */
  get visibleCount(): number {
    let count = 0;
    for (const { element, item } of this.entries)
      if (item.visible !== false && element.localName !== "label") count++;
    return count;
  }

  get byElement(): ReadonlyMap<Element, Entry> {
    return this.options.getUiTreeItems
      ? new Map(this.entries.map((entry) => [entry.element, entry]))
      : this.known;
  }

  /** The elements in rows that read as this one did. */
  inRowsLike({ texts }: Context): Entry[] {
    return this.entries.filter(({ item }) => {
      const row = this.options.refs.find(item.ref ?? "")?.context?.row.deref();
      return row !== undefined && texts.length > 0 && this.rows.reads(row, texts);
    });
  }

  /**
   * Does a part of what the first refresh needs, for about so long; true when nothing is left to do. What changes in
   * between is looked at again, as after any change.
   */
  prepare(ms: number): boolean {
    if (this.entries.length > 0 || this.options.getUiTreeItems) return true;
    const deadline = platform.now() + ms;
    this.options.watch.flush();
    const look = this.survey();
    this.forgetDoubtful(look);
    this.stale.clear();
    return glance(this.options.masker, this.roots, () => {
      for (const found of this.found) {
        if (this.known.has(found.element)) continue;
        if (platform.now() >= deadline) return false;
        this.known.set(found.element, this.update(found, look));
      }
      return true;
    });
  }

  private builtIn(): Known[] {
    const { stale } = this;
    const look = this.survey();
    const some = this.suspects();
    if (some) return this.updateSome(some, look);
    const known = new Map<Element, Known>();
    const next: Known[] = [];
    glance(this.options.masker, this.roots, () => {
      for (const found of this.found) {
        const entry = this.update(found, look);
        known.set(found.element, entry);
        next.push(entry);
      }
    });
    const isFirst = this.entries.length === 0;
    if (isFirst || stale.structure || stale.everything || stale.elements.size > 0)
      this.distinguish(next, known);
    this.known = known;
    this.restless = new Set();
    for (const [i, entry] of next.entries()) {
      entry.index = i;
      if (isRestless(entry)) this.restless.add(i);
    }
    stale.clear();
    return next;
  }

  /** The places of the elements that may be different, when it is certain that no others are. */
  private suspects(): Set<number> | undefined {
    const { structure, everything, subtrees, elements, moved } = this.stale;
    const isUncertain = structure || everything || subtrees.size > 0 || this.geometryChanged;
    if (isUncertain || this.found.length <= FEW || this.entries.length === 0) return undefined;
    const some = new Set(this.restless);
    const add = (element: Element): void => {
      const index = this.known.get(element)?.index;
      if (index !== undefined) some.add(index);
    };
    for (const element of elements) {
      if (headingLevel(element) > 0) return undefined;
      add(element);
    }
    for (const element of moved) {
      const inside = element.getElementsByTagName("*");
      if (inside.length > MAX_INSIDE || this.roots.length > 1) return undefined;
      for (const each of inside) add(each);
    }
    return some;
  }

  /** On a large page most elements are off the screen and untouched: what is known of them stays as it is. */
  private updateSome(some: ReadonlySet<number>, look: Look): Known[] {
    const { stale } = this;
    const before = this.entries as Known[];
    const next = before.slice();
    const known = new Map<Element, Known>();
    glance(this.options.masker, this.roots, () => {
      for (const index of some) {
        const entry = this.update(this.found[index] as Found, look);
        if (entry !== before[index]) known.set(entry.element, entry);
        next[index] = entry;
      }
    });
    const isNamed = (entry: Known): boolean => this.known.get(entry.element)?.item.ref === entry.item.ref;
    if ((this.options.refs.areInRows && stale.elements.size > 0) || ![...known.values()].every(isNamed))
      this.distinguish(next, known);
    for (const [element, entry] of known) {
      entry.index = this.known.get(element)?.index ?? 0;
      if (isRestless(entry)) this.restless.add(entry.index);
      else this.restless.delete(entry.index);
      this.known.set(element, entry);
    }
    stale.clear();
    return known.size > 0 ? next : before;
  }

  /** Finds the elements, and those that may have changed. */
  private survey(): Look {
    const { stale } = this;
    stale.digest();
    for (const [frame, inside] of this.frames) if (documentIn(frame) !== inside) stale.structure = true;
    if (stale.structure || this.isDoubtful) {
      const { found, roots, frames } = sweep(this.options.page, this.options.isOurs, this.options.reacting());
      this.isDoubtful = false;
      if (
        found.length !== this.found.length ||
        found.some((each, i) => each.element !== this.found[i]?.element)
      )
        stale.structure = true;
      this.found = found;
      this.roots = roots;
      this.frames = frames;
      this.options.refs.expect(found.length - this.known.size);
      for (const root of roots) this.options.watch.observe(root);
    }
    const geometry = geometryOf(this.roots, this.found.length <= FEW);
    this.geometryChanged = geometry !== this.geometry || stale.moved.size > MAX_MOVED;
    this.geometry = geometry;
    return {
      selectors: new SelectorMaker(),
      placesChanged: stale.structure || stale.everything,
      sightings: new Sightings(this.options.isOurs),
      sections: new Map(),
    };
  }

  private forgetDoubtful({ placesChanged }: Look): void {
    if (placesChanged || this.geometryChanged) this.known.clear();
    for (const [element, entry] of this.known)
      if (this.isStale(element, entry.labelled) || this.hasMoved(element)) this.known.delete(element);
  }

  /** Elements that share role and name get refs that hold only in their row. */
  private distinguish(next: Known[], known: Map<Element, Known>): void {
    const { everything, elements } = this.stale;
    this.rows.forget(elements, everything);
    const { refs } = this.options;
    const isTouched = (row: Element): boolean => everything || elements.has(row);
    const wasShown = (entry: Known): boolean => this.known.get(entry.element)?.item.ref === entry.item.ref;
    const others = new Map<Known, string>();
    for (const group of groupsOf(next, refs.areInRows)) {
      const around = { refs, rows: this.rows, isTouched, wasShown };
      for (const [entry, ref] of refsInRows(group, around)) others.set(entry, ref);
    }
    if (others.size === 0) return;
    // New objects, so that the change is seen when they are compared with those from before.
    for (const [i, entry] of next.entries()) {
      const ref = others.get(entry);
      if (ref === undefined) continue;
      const changed = { ...entry, item: { ...entry.item, ref } };
      next[i] = changed;
      known.set(entry.element, changed);
    }
  }

  private update(
    { element, heading }: Found,
    { selectors, placesChanged, sightings, sections }: Look,
  ): Known {
    const before = this.known.get(element);
    const section = sectionOf(heading, sections, this.options.masker);
    const live = liveState(element);
    const selector = before && !placesChanged ? before.selector : selectors.of(element);
    const place = before && !this.mayLookDifferent(before, element) ? before.place : placeOf(element);
    const sight = before && !this.mustLook(before, element, place) ? before.sight : sightings.of(element);
    const isKept = before && before.live === live && !this.isStale(element, before.labelled);
    // What is on the screen is always described again: style sheets change texts, and nothing reports it.
    const traits =
      isKept && (isAway(sight) || sight.hiddenBy === "hidden")
        ? before.traits
        : describe(element, this.options.masker);
    if (
      isKept &&
      (traits === before.traits || sameTraits(traits, before.traits)) &&
      selector === before.selector &&
      section === before.section &&
      sight.visible === before.item.visible &&
      sight.hiddenBy === before.item.hiddenBy
    ) {
      return before;
    }
    const item = makeItem({ element, traits, selector, sight, section }, this.options);
    const labelled = element.hasAttribute("aria-labelledby");
    const key = before?.key ?? this.options.refs.anchorOf(element);
    return {
      key,
      element,
      traits,
      live,
      selector,
      section,
      sight,
      place,
      labelled,
      index: before?.index ?? 0,
      item,
      name: traits.name,
    };
  }

  private isStale(element: Element, labelled: boolean): boolean {
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
    return !isAway(before.sight) || this.found.length <= FEW || this.hasMoved(element);
  }

  /** On a large page, asking what is drawn at a point takes its time: only where something may have come or gone. */
  private mustLook({ place, sight }: Known, element: Element, now: string): boolean {
    if (now !== place || sight.hiddenBy === "occluded") return true;
    if (isAway(sight)) return this.hasMoved(element);
    return this.found.length <= FEW || this.hasMoved(element) || isUnder(element, this.stale.moved);
  }

  /** Whether it may have come into view or left it. */
  private hasMoved(element: Element): boolean {
    const { everything, moved, elements } = this.stale;
    if (this.geometryChanged || everything || elements.has(element)) return true;
    for (const node of moved) if (node.contains(element)) return true;
    return false;
  }

  /** Something that is not in the tree is different. */
  advance(): void {
    this.moveTo(this.options.versions.next());
  }

  private moveTo(version: number): void {
    // Other documents had the versions between while this one was out of sight: they must not be taken for its own.
    if (version !== this.version + 1) this.history.restart(version);
    this.version = version;
  }
}

/** More elements in a place that changed are not asked one by one. */
const MAX_INSIDE = 2_000;
/** So few elements are all looked at each time. */
const FEW = 500;

/** Beyond this many places that changed, looking at everything is cheaper than asking which element is in which. */
const MAX_MOVED = 20;
