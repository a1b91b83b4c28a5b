import { FIELD_LIMITS, type UiTreeItem } from "@debug-bridge/protocol";
import { platform } from "../../inert/platform.js";
import type { Masker } from "../../privacy/masker.js";
import { glance } from "../../privacy/private-elements.js";
import { describe, type Traits } from "../elements/describe.js";
import { containsAcross, documentIn, type Root } from "../elements/dom.js";
import { type Found, sweep } from "../elements/interactive.js";
import { nameOf } from "../elements/names.js";
import { SelectorMaker } from "../elements/selectors.js";
import { type Sight, Sightings } from "../elements/visibility.js";
import type { Numbers } from "../text/numbers.js";
import type { DomWatch } from "../watch.js";
import { customEntries } from "./custom-items.js";
import type { Ids } from "./ids.js";
import type { Refs } from "./refs.js";
import { groupsOf, refsInRows } from "./row-refs.js";
import { type Context, Rows } from "./rows.js";
import { Staleness } from "./staleness.js";
import { type Difference, sameItem, sameMeta, UiTreeHistory } from "./ui-tree-history.js";

/** An element of the tree with what is known of it. */
export interface Entry {
  readonly key: number;
  readonly element: Element;
  readonly item: UiTreeItem;
  /** The accessible name, even when the item does not repeat it. */
  readonly name: string;
}

interface Known extends Entry {
  traits: Traits;
  live: string;
  selector: string;
  section: string | undefined;
  sight: Sight;
  /** Where it was when that was found out. */
  place: string;
  /** Named by another element, whose changes are not its own. */
  labelled: boolean;
  item: UiTreeItem;
  name: string;
}

/** What looking at many elements at one moment shares. */
interface Look {
  readonly selectors: SelectorMaker;
  /** Whether selectors from before may lead elsewhere now. */
  readonly placesChanged: boolean;
  readonly sightings: Sightings;
  readonly sections: Map<Element, string>;
}

export interface UiTreeOptions {
  readonly page: Document;
  readonly masker: Masker;
  readonly refs: Refs;
  readonly ids: Ids;
  readonly watch: DomWatch;
  readonly isOurs: (node: Node) => boolean;
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
  private geometry = "";
  private geometryChanged = true;

  constructor(private readonly options: UiTreeOptions) {
    this.version = options.versions.next();
    this.history = new UiTreeHistory(this.version);
    options.watch.listen((records) => this.stale.add(records));
  }

  /** Something moved that no mutation reports: a scroll inside the page, the end of an animation. */
  recordMovement(): void {
    this.geometry = "";
  }

  /** Updates the tree; the version increases when anything is different. */
  refresh(): this {
    this.options.watch.flush();
    const { getUiTreeItems } = this.options;
    const next = getUiTreeItems ? customEntries(getUiTreeItems(), this.options) : this.builtIn();
    this.compare(next);
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
    stale.clear();
    return next;
  }

  /** Finds the elements, and those that may have changed. */
  private survey(): Look {
    const { stale } = this;
    stale.digest();
    for (const [frame, inside] of this.frames) if (documentIn(frame) !== inside) stale.structure = true;
    if (stale.structure) {
      const { found, roots, frames } = sweep(this.options.page, this.options.isOurs);
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
    const traits = isKept && sight.hiddenBy === "off-screen" ? before.traits : describe(element, this.options.masker);
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
    const item = this.itemOf(element, traits, selector, sight, section);
    const labelled = element.hasAttribute("aria-labelledby");
    const key = before?.key ?? this.options.refs.anchorOf(element);
    return { key, element, traits, live, selector, section, sight, place, labelled, item, name: traits.name };
  }

  private itemOf(
    element: Element,
    { role, name, text, disabled, meta }: Traits,
    selector: string,
    { visible, hiddenBy }: Sight,
    section: string | undefined,
  ): UiTreeItem {
    const ref = this.options.refs.refOf(element, role, name);
    const shown = text || name;
    const item: UiTreeItem = {
      id: this.options.ids.idOf(element),
      selector,
      role,
      text: shown,
      disabled,
      visible,
      ref,
      meta,
    };
    if (name !== "" && name !== shown) item.name = name;
    if (hiddenBy) item.hiddenBy = hiddenBy;
    if (section) item.section = section;
    return item;
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
    return before.sight.hiddenBy !== "off-screen" || this.found.length <= FEW || this.hasMoved(element);
  }

  /** On a large page, asking what is drawn at a point takes its time: only where something may have come or gone. */
  private mustLook({ place, sight }: Known, element: Element, now: string): boolean {
    if (now !== place || sight.hiddenBy === "occluded") return true;
    if (sight.hiddenBy === "off-screen") return this.hasMoved(element);
    return this.found.length <= FEW || this.hasMoved(element) || this.isUnderMoved(element);
  }

  private isUnderMoved(element: Element): boolean {
    if (this.stale.moved.size === 0) return false;
    const { x, y, right, bottom } = element.getBoundingClientRect();
    for (const other of this.stale.moved) {
      const box = other.getBoundingClientRect();
      const overlaps = box.x < right && box.right > x && box.y < bottom && box.bottom > y;
      if (overlaps && !other.contains(element)) return true;
    }
    return false;
  }

  /** Whether it may have come into view or left it. */
  private hasMoved(element: Element): boolean {
    const { everything, moved, elements } = this.stale;
    if (this.geometryChanged || everything || elements.has(element)) return true;
    for (const node of moved) if (node.contains(element)) return true;
    return false;
  }

  private compare(next: readonly Entry[]): void {
    const { entries, history } = this;
    let version = 0;
    const record = (key: number, before: Entry | undefined, after: Entry | undefined): void => {
      if (before === after || (before && after && sameItem(before.item, after.item))) return;
      version ||= this.options.versions.next();
      history.record({ version, key, before: before?.item, after: after?.item });
    };
    const aligned = entries.length === next.length && entries.every((entry, i) => entry.key === next[i]?.key);
    if (aligned) for (const [i, entry] of next.entries()) record(entry.key, entries[i], entry);
    else {
      const before = new Map(entries.map((entry) => [entry.key, entry]));
      for (const entry of next) {
        record(entry.key, before.get(entry.key), entry);
        before.delete(entry.key);
      }
      for (const gone of before.values()) record(gone.key, gone, undefined);
    }
    if (version) this.moveTo(version);
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

/** So few elements are all looked at each time. */
const FEW = 500;

/** Beyond this many places that changed, looking at everything is cheaper than asking which element is in which. */
const MAX_MOVED = 20;

function placeOf(element: Element): string {
  if (!element.checkVisibility()) return "";
  const { x, y, width, height } = element.getBoundingClientRect();
  return `${x},${y},${width},${height}`;
}

/** Size and scrolling of every document and shadow root's scroller that could move things in and out of view. */
function geometryOf(roots: readonly Root[], isSmall: boolean): string {
  let geometry = "";
  for (const root of roots) {
    const view = root.nodeType === 9 ? (root as Document).defaultView : null;
    const page = view && (root as Document).documentElement;
    if (page)
      geometry += `${view.innerWidth},${view.innerHeight},${view.scrollX},${view.scrollY},${isSmall && page.scrollHeight};`;
  }
  return geometry;
}

function sameTraits(a: Traits, b: Traits): boolean {
  return (
    a.role === b.role &&
    a.name === b.name &&
    a.text === b.text &&
    a.disabled === b.disabled &&
    sameMeta(a.meta, b.meta)
  );
}

/** What changes in a control without a mutation. */
function liveState(element: Element): string {
  const { localName } = element;
  if (localName === "input") {
    const { type, checked, indeterminate, value } = element as HTMLInputElement;
    return type === "checkbox" || type === "radio" ? `${checked}${indeterminate}` : value;
  }
  return localName === "select" || localName === "textarea" ? (element as HTMLTextAreaElement).value : "";
}

function sectionOf(
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
