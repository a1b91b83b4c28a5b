import { FIELD_LIMITS, type UiTreeItem } from "@debug-bridge/protocol";
import type { Masker } from "../mask.js";
import { customEntries } from "./custom-items.js";
import { describe, type Traits } from "./describe.js";
import { containsAcross, type Root } from "./dom.js";
import type { Ids } from "./ids.js";
import { type Found, sweep } from "./interactive.js";
import { type Difference, Journal, sameItem } from "./journal.js";
import { nameOf } from "./names.js";
import type { Refs } from "./refs.js";
import { SelectorMaker } from "./selectors.js";
import { Staleness } from "./staleness.js";
import { Sightings } from "./visibility.js";
import type { DomWatch } from "./watch.js";

/** An element of the tree with what is known of it. */
export interface Entry {
  readonly key: number;
  readonly element: Element;
  readonly item: UiTreeItem;
  /** The accessible name, also where the item does not repeat it. */
  readonly name: string;
}

interface Known extends Entry {
  traits: Traits;
  live: string;
  selector: string;
  section: string | undefined;
  item: UiTreeItem;
  name: string;
}

export interface UiTreeOptions {
  readonly page: Document;
  readonly masker: Masker;
  readonly refs: Refs;
  readonly ids: Ids;
  readonly watch: DomWatch;
  readonly isOurs: (node: Node) => boolean;
  readonly getUiTreeItems?: (() => readonly UiTreeItem[]) | undefined;
}

/**
 * The interactive elements of the page. Brought up to date on demand: only what the mutation records since the last
 * time made doubtful is described again, so that an update after one change costs a fraction of the first.
 */
export class UiTree {
  version = 0;
  entries: readonly Entry[] = [];
  roots: readonly Root[] = [];
  private known = new Map<Element, Known>();
  private found: Found[] = [];
  private readonly stale = new Staleness();
  private readonly journal = new Journal();

  constructor(private readonly options: UiTreeOptions) {
    options.watch.listen((records) => this.stale.add(records));
  }

  /** Brings the tree up to date; the version grows when anything is different. */
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
    return version > this.version ? undefined : this.journal.since(version);
  }

  entryOf(element: Element): Entry | undefined {
    return this.entries.find((entry) => entry.element === element);
  }

  private builtIn(): Known[] {
    const { stale } = this;
    stale.digest();
    if (stale.structure) {
      const { found, roots } = sweep(this.options.page, this.options.isOurs);
      this.found = found;
      this.roots = roots;
      for (const root of roots) this.options.watch.observe(root);
    }
    const selectors = stale.structure || stale.everything ? new SelectorMaker() : undefined;
    const sightings = new Sightings();
    const sections = new Map<Element, string>();
    const known = new Map<Element, Known>();
    const next: Known[] = [];
    for (const { element, heading } of this.found) {
      const entry = this.update(
        this.known.get(element),
        element,
        selectors,
        sightings,
        sectionOf(heading, sections),
      );
      known.set(element, entry);
      next.push(entry);
    }
    this.known = known;
    stale.clear();
    return next;
  }

  private update(
    before: Known | undefined,
    element: Element,
    selectors: SelectorMaker | undefined,
    sightings: Sightings,
    section: string | undefined,
  ): Known {
    const live = liveState(element);
    const fresh = before && before.live === live && !this.isStale(element);
    const traits = fresh ? before.traits : describe(element, this.options.masker);
    const selector =
      (selectors ?? (before ? undefined : new SelectorMaker()))?.of(element) ?? before?.selector ?? "";
    const sight = sightings.of(element);
    if (
      fresh &&
      selector === before.selector &&
      section === before.section &&
      sight.visible === before.item.visible &&
      sight.hiddenBy === before.item.hiddenBy
    ) {
      return before;
    }
    const { role, name, text, disabled, meta } = traits;
    const shown = text || name;
    const item: UiTreeItem = {
      id: this.options.ids.idOf(element),
      selector,
      role,
      text: shown,
      ...(name !== "" && name !== shown ? { name } : {}),
      disabled,
      visible: sight.visible,
      ...(sight.hiddenBy ? { hiddenBy: sight.hiddenBy } : {}),
      ref: this.options.refs.refOf(element, role, name),
      ...(section ? { section } : {}),
      meta,
    };
    const key = before?.key ?? this.options.refs.anchorOf(element);
    return { key, element, traits, live, selector, section, item, name };
  }

  private isStale(element: Element): boolean {
    const { stale } = this;
    if (stale.everything || stale.elements.has(element)) return true;
    if (stale.elements.size > 0 && element.hasAttribute("aria-labelledby")) return true;
    for (const outer of stale.subtrees) if (containsAcross(outer, element)) return true;
    return false;
  }

  private compare(next: readonly Entry[]): void {
    const version = this.version + 1;
    const before = new Map(this.entries.map((entry) => [entry.key, entry]));
    let differs = false;
    for (const entry of next) {
      const old = before.get(entry.key);
      before.delete(entry.key);
      if (old && (old === entry || sameItem(old.item, entry.item))) continue;
      differs = true;
      this.journal.record({ version, key: entry.key, before: old?.item, after: entry.item });
    }
    for (const gone of before.values()) {
      differs = true;
      this.journal.record({ version, key: gone.key, before: gone.item, after: undefined });
    }
    if (differs) this.version = version;
  }
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

function sectionOf(heading: Element | undefined, sections: Map<Element, string>): string | undefined {
  if (!heading) return undefined;
  let section = sections.get(heading);
  if (section === undefined) {
    section = nameOf(heading).slice(0, 120);
    sections.set(heading, section);
  }
  return section || undefined;
}
