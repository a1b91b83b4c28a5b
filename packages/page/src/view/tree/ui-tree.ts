import { FIELD_LIMITS, type UiTreeItem } from "@debug-bridge/protocol";
import { platform } from "../../inert/platform.js";
import type { Masker } from "../../privacy/masker.js";
import { glance } from "../../privacy/private-elements.js";
import type { Root } from "../elements/dom.js";
import type { Found } from "../elements/interactive.js";
import type { Reacts } from "../elements/reacting.js";
import { headingLevel } from "../elements/roles.js";
import { SelectorMaker } from "../elements/selectors.js";
import { VisibilityChecker } from "../elements/visibility.js";
import type { Numbers } from "../text/numbers.js";
import { elementsOnScreen } from "../text/reading/screen.js";
import type { DomWatch } from "../watch.js";
import { customEntries } from "./custom-items.js";
import { Describer } from "./describer.js";
import { type Geometry, geometryOf, isRestless, type Known, type Look } from "./element-state.js";
import type { Ids } from "./ids.js";
import type { Refs } from "./refs.js";
import { RowNames } from "./row-names.js";
import type { Context } from "./rows.js";
import { Staleness } from "./staleness.js";
import { type Origins, Structure } from "./structure.js";
import { type Difference, type Pair, UiTreeHistory } from "./ui-tree-history.js";

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
  /** Looks up what reacts now: all elements at once, or each one that is asked for. */
  readonly reacting: (isAll: boolean) => Reacts;
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
  private known = new Map<Element, Known>();
  private readonly structure: Structure;
  /** Where the elements were, when only a part of the page changed. */
  private origins: Origins | undefined;
  private readonly stale = new Staleness();
  private readonly history: UiTreeHistory;
  private readonly rowNames: RowNames;
  private readonly describer: Describer;
  /** Elements that may change without a mutation. */
  private restless = new Set<Element>();
  /** What is wrong with the items that the app names itself. */
  readonly problems = new Set<string>();
  private geometry: Geometry = { size: "", scrolling: "" };
  private sizeChanged = true;
  /** Selectors of elements that did not change themselves may lead elsewhere now. */
  areSelectorsOld = false;

  constructor(private readonly options: UiTreeOptions) {
    this.version = options.versions.next();
    this.history = new UiTreeHistory(this.version);
    this.structure = new Structure(options);
    this.rowNames = new RowNames(options.refs, this.stale);
    this.describer = new Describer(options, this.stale);
    options.watch.listen((records) => this.stale.add(records));
  }

  get roots(): readonly Root[] {
    return this.structure.roots;
  }

  /** Something moved that no mutation reports: a scroll inside the page, the end of an animation. */
  recordMovement(): void {
    this.geometry = { ...this.geometry, scrolling: "" };
  }

  /** Something may be usable now that no mutation reports: a new listener, a shadow root. */
  invalidate(isAll = false): void {
    this.structure.invalidate(isAll);
  }

  /** Whether elements that were read, in document order, are listed as they should be. If not, refresh and read again. */
  confirm(read: readonly Element[]): boolean {
    return this.options.getUiTreeItems !== undefined || this.structure.confirm(read);
  }

  /** Updates the tree; the version increases when anything is different. */
  refresh(): this {
    this.options.watch.flush();
    const { getUiTreeItems, versions } = this.options;
    if (getUiTreeItems) this.replace(customEntries(getUiTreeItems, this.options, this.problems));
    else {
      const look = this.survey();
      const some = this.suspects();
      if (!some) this.replace(this.updateAll(look));
      else {
        const version = this.history.recordPairs(this.updateSome(some, look), versions);
        if (version) this.moveTo(version);
      }
    }
    return this;
  }

  /** Updates the tree with the selectors of all elements, which nobody needs who uses refs. */
  refreshAll(): this {
    this.refresh();
    if (!this.areSelectorsOld) return this;
    this.stale.structure = true;
    this.stale.isUnbounded = true;
    return this.refresh();
  }

  /** Items as others get them. */
  itemsOf(entries: readonly Entry[]): UiTreeItem[] {
    if (!this.areSelectorsOld) return entries.map(({ item }) => item);
    const selectors = new SelectorMaker();
    return entries.map(({ element, item }) => ({ ...item, selector: selectors.of(element) }));
  }

  private replace(next: readonly Entry[]): void {
    const version = this.history.compare(this.entries, next, this.options.versions);
    if (version) this.moveTo(version);
    this.entries = next;
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
  inRowsLike(context: Context): Entry[] {
    return this.entries.filter(({ item }) => {
      const row = this.options.refs.find(item.ref ?? "")?.context?.row.deref();
      return row !== undefined && this.rowNames.reads(row, context);
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
      for (const found of this.structure.found) {
        if (this.known.has(found.element)) continue;
        if (platform.now() >= deadline) return false;
        this.known.set(found.element, this.describer.update(found, this.known.get(found.element), look));
      }
      return true;
    });
  }

  private updateAll(look: Look): Known[] {
    const { stale } = this;
    const known = new Map<Element, Known>();
    const next: Known[] = [];
    if (!this.describer.areFew) this.describer.setScreen(elementsOnScreen(this.options.page));
    glance(this.options.masker, this.roots, () => {
      for (const found of this.structure.found) {
        const entry = this.describer.update(found, this.known.get(found.element), look);
        known.set(found.element, entry);
        next.push(entry);
      }
    });
    const isFirst = this.entries.length === 0;
    if (isFirst || stale.structure || stale.everything || stale.elements.size > 0)
      rename(this.rowNames.all(next, this.known), next, known);
    if (look.placesChanged) this.areSelectorsOld = false;
    this.known = known;
    this.restless = new Set();
    for (const [i, entry] of next.entries()) {
      entry.index = i;
      if (isRestless(entry)) this.restless.add(entry.element);
    }
    stale.clear();
    return next;
  }

  /** The elements that may be different, when it is certain that no others are. */
  private suspects(): Set<Element> | undefined {
    const { structure, everything, subtrees, elements, moved } = this.stale;
    const { found } = this.structure;
    const isUncertain = (structure && !this.origins) || everything || subtrees.size > 0 || this.sizeChanged;
    if (isUncertain || found.length <= FEW || this.entries.length === 0) return undefined;
    const some = new Set(this.restless);
    for (const element of elements) {
      if (headingLevel(element) > 0) return undefined;
      some.add(element);
    }
    for (const element of moved) {
      const inside = element.getElementsByTagName("*");
      if (inside.length > MAX_INSIDE || this.roots.length > 1) return undefined;
      for (const each of inside) some.add(each);
    }
    // What is there now may have been elsewhere.
    if (this.describer.geometryChanged || elements.size > 0) {
      const onScreen = elementsOnScreen(this.options.page);
      this.describer.setScreen(onScreen);
      for (const element of onScreen) some.add(element);
    }
    return some;
  }

  /** On a large page most elements are off the screen and untouched: what is known of them stays as it is. */
  private updateSome(some: ReadonlySet<Element>, look: Look): Pair[] {
    const { stale, origins } = this;
    const { found } = this.structure;
    const before = this.entries as Known[];
    const next = before.slice();
    const known = new Map<Element, Known>();
    const arrived: Known[] = [];
    glance(this.options.masker, this.roots, () => {
      if (origins) {
        next.length = origins.length;
        for (const [i, from] of origins.entries()) {
          const entry =
            from < 0
              ? this.describer.update(found[i] as Found, this.known.get((found[i] as Found).element), look)
              : (before[from] as Known);
          if (from < 0) {
            arrived.push(entry);
            known.set(entry.element, entry);
          }
          entry.index = i;
          next[i] = entry;
        }
      }
      for (const element of some) {
        const was = this.known.get(element);
        const index = was?.index ?? -1;
        if (!was || next[index] !== was || known.has(element)) continue;
        const entry = this.describer.update(found[index] as Found, was, look);
        if (entry !== was) known.set(element, entry);
        next[index] = entry;
      }
    });
    const others = this.rowNames.some(next, known, this.known, arrived);
    rename(others ?? this.rowNames.all(next, this.known), next, known);
    const pairs: Pair[] = [];
    for (const [element, entry] of known) {
      pairs.push([this.known.get(element), entry]);
      this.restless.delete(element);
      if (isRestless(entry)) this.restless.add(element);
      this.known.set(element, entry);
    }
    if (origins && this.known.size > next.length)
      for (const gone of before) {
        if (known.has(gone.element) || next[gone.index]?.element === gone.element) continue;
        pairs.push([gone, undefined]);
        this.known.delete(gone.element);
        this.restless.delete(gone.element);
      }
    if (origins) this.areSelectorsOld = true;
    stale.clear();
    this.entries = known.size > 0 || origins ? next : before;
    return pairs;
  }

  /** Finds the elements, and those that may have changed. */
  private survey(): Look {
    const { stale, structure } = this;
    stale.digest();
    if (structure.hasOtherFrames) stale.structure = stale.isUnbounded = true;
    for (const element of structure.turnedByText(stale.elements)) stale.turn(element);
    this.origins = undefined;
    if (stale.structure || structure.mustSweep) {
      this.origins = stale.structure && this.entries.length > 0 ? structure.patch(stale) : undefined;
      if (!this.origins && structure.sweep()) stale.structure = stale.isUnbounded = true;
      const { found, roots } = structure;
      this.options.refs.expect(found.length - this.known.size);
      for (const root of roots) this.options.watch.observe(root);
    }
    const geometry = geometryOf(this.roots, structure.found.length <= FEW);
    this.sizeChanged = geometry.size !== this.geometry.size;
    this.describer.setScreen(undefined);
    this.describer.areFew = structure.found.length <= FEW;
    this.describer.geometryChanged =
      this.sizeChanged || geometry.scrolling !== this.geometry.scrolling || stale.moved.size > MAX_MOVED;
    this.geometry = geometry;
    return {
      selectors: new SelectorMaker(),
      placesChanged: (stale.structure && !this.origins) || stale.everything,
      visibilities: new VisibilityChecker(this.options.isOurs),
      sections: new Map(),
    };
  }

  private forgetDoubtful({ placesChanged }: Look): void {
    if (placesChanged || this.describer.geometryChanged) this.known.clear();
    for (const [element, entry] of this.known)
      if (this.describer.isStale(element, entry.labelled) || this.describer.hasMoved(element))
        this.known.delete(element);
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

/** Gives entries other refs: in new objects, so that the change is seen when they are compared with those from before. */
function rename(refs: ReadonlyMap<Known, string>, next: Known[], known: Map<Element, Known>): void {
  if (refs.size === 0) return;
  for (const [i, entry] of next.entries()) {
    const ref = refs.get(entry);
    if (ref === undefined) continue;
    const changed = { ...entry, item: { ...entry.item, ref } };
    next[i] = changed;
    known.set(entry.element, changed);
  }
}

/** More elements in a place that changed are not asked one by one. */
const MAX_INSIDE = 2_000;
/** So few elements are all looked at each time. */
const FEW = 150;

/** Beyond this many places that changed, looking at everything is cheaper than asking which element is in which. */
const MAX_MOVED = 20;
