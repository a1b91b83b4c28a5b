import { documentIn, type Root } from "../elements/dom.js";
import { type Found, HEADINGS, isHeading, type Sweep, sweep, usingSome } from "../elements/interactive.js";
import type { Reacts } from "../elements/reacting.js";
import type { Staleness } from "./staleness.js";

export interface StructureOptions {
  readonly page: Document;
  readonly isOurs: (node: Node) => boolean;
  /** Looks up what reacts now: all elements at once, or each one that is asked for. */
  readonly reacting: (isAll: boolean) => Reacts;
}

/** On larger pages, only elements that are read are checked again for whether they can be used. */
const MAX_SMALL = 400;
/** When more elements changed, looking through the whole page is simpler and not much slower. */
const MAX_CHANGED = 2_000;
/** Such elements decide about more than what is inside them. */
const FAR_REACHING = `iframe,frame,${HEADINGS}`;
/** So far back the element before a new one is searched. */
const MAX_STEPS = 5_000;

const NOTHING: Sweep = {
  found: [],
  roots: [],
  frames: new Map(),
  size: 0,
  contexts: new WeakSet(),
  dependent: new WeakSet(),
};

/** Where each element was before a change; -1 for those that were not there. */
export type Origins = readonly number[];

/** Which elements of the page can be used, in document order. */
export class Structure {
  private last: Sweep = NOTHING;
  private listed = new Set<Element>();
  /** Elements that were checked again since the last `invalidate`; `undefined` when there was none. */
  private confirmed: WeakSet<Element> | undefined;
  private isAllInvalid = false;

  constructor(private readonly options: StructureOptions) {}

  get found(): readonly Found[] {
    return this.last.found;
  }

  get roots(): readonly Root[] {
    return this.last.roots;
  }

  /** Something may be usable now that no mutation reports: a new listener, a shadow root. */
  invalidate(isAll: boolean): void {
    this.confirmed = new WeakSet();
    if (isAll) this.isAllInvalid = true;
  }

  get mustSweep(): boolean {
    return this.confirmed !== undefined && (this.isAllInvalid || this.last.size <= MAX_SMALL);
  }

  /** Whether a frame has another document now. */
  get hasOtherFrames(): boolean {
    for (const [frame, inside] of this.last.frames) if (documentIn(frame) !== inside) return true;
    return false;
  }

  /** Looks through the whole page; true when something else can be used now. */
  sweep(): boolean {
    const { page, isOurs, reacting } = this.options;
    const before = this.last.found;
    this.last = sweep(page, isOurs, reacting(true));
    const { found } = this.last;
    this.listed = new Set(found.map(({ element }) => element));
    this.confirmed = undefined;
    this.isAllInvalid = false;
    return found.length !== before.length || found.some(({ element }, i) => element !== before[i]?.element);
  }

  /**
   * Asks elements that were read, in document order, whether they can be used; false when one is not as it was found, so
   * that the whole page must be searched.
   */
  confirm(read: readonly Element[]): boolean {
    const { confirmed } = this;
    if (!confirmed || this.mustSweep || read.every((element) => confirmed.has(element))) return true;
    const reacts = this.options.reacting(false);
    const roots = new Map<Root, (element: Element) => boolean>();
    for (const element of read) {
      const root = element.getRootNode() as Root;
      let isUsable = roots.get(root);
      if (!isUsable) {
        isUsable = usingSome(element.ownerDocument.defaultView, reacts);
        roots.set(root, isUsable);
        if (!this.roots.includes(root)) return this.lose();
        // What is around them decides about them as well.
        const around: Element[] = [];
        for (let at = element.parentElement; at; at = at.parentElement) around.unshift(at);
        for (const each of around) isUsable(each);
      }
      if (confirmed.has(element) && !this.last.contexts.has(element)) continue;
      if (isUsable(element) !== this.listed.has(element) || this.hasNewRoot(element)) return this.lose();
      confirmed.add(element);
    }
    return true;
  }

  /** Those of the elements with other text inside that it makes something else. */
  turnedByText(elements: ReadonlySet<Element>): Element[] {
    const { dependent } = this.last;
    const reacts = this.options.reacting(false);
    return [...elements].filter((element) => dependent.has(element) && this.isOtherwise(element, reacts));
  }

  /** Follows a change of a part of the page; `undefined` when the whole page must be searched. */
  patch({ places, came, isUnbounded }: Staleness): Origins | undefined {
    const { found, roots, contexts, dependent } = this.last;
    if (isUnbounded || roots.length !== 1 || this.mustSweep) return undefined;
    // A heading that went with something that has no heading is in no record.
    if (found.some(({ heading }) => heading?.isConnected === false)) return undefined;
    const reacts = this.options.reacting(false);
    const tops = new Set<Element>(came);
    for (const place of places) {
      const top = this.topOf(place, reacts);
      if (top) tops.add(top);
    }
    const changed = new Set<Element>();
    const added = new Map<Element | undefined, Found[]>();
    for (const top of outermost(tops)) {
      const inside = [top, ...top.querySelectorAll("*")];
      if (changed.size + inside.length > MAX_CHANGED) return undefined;
      for (const each of inside) changed.add(each);
    }
    const groups = new Map<Element, Found[]>();
    for (const top of outermost(tops)) {
      const isUsable = usingSome(top.ownerDocument.defaultView, reacts, { contexts, dependent });
      const items: Element[] = [];
      for (const element of [top, ...top.querySelectorAll("*")]) {
        if (element.shadowRoot || element.matches(FAR_REACHING)) return undefined;
        contexts.delete(element);
        dependent.delete(element);
        if (isUsable(element) && !this.options.isOurs(element)) items.push(element);
      }
      if (items.length === 0) continue;
      const before = this.before(top, changed, groups);
      if (before === null) return undefined;
      const { after, heading } = before;
      const group = (after && groups.get(after)) ?? added.get(after) ?? [];
      const at = after ? group.findIndex(({ element }) => element === after) + 1 : 0;
      group.splice(at, 0, ...items.map((element) => ({ element, heading })));
      for (const element of items) groups.set(element, group);
      if (!(after && groups.has(after))) added.set(after, group);
    }
    return this.merge(found, changed, added);
  }

  /** What was found, without what changed, and with what came. */
  private merge(
    found: readonly Found[],
    changed: ReadonlySet<Element>,
    added: ReadonlyMap<Element | undefined, readonly Found[]>,
  ): Origins {
    const next: Found[] = [];
    const origins: number[] = [];
    const insert = (after: Element | undefined): void => {
      for (const each of added.get(after) ?? []) {
        next.push(each);
        origins.push(-1);
        this.listed.add(each.element);
      }
    };
    for (const { element } of found)
      if (changed.has(element) || !element.isConnected) this.listed.delete(element);
    insert(undefined);
    for (const [i, each] of found.entries()) {
      if (changed.has(each.element) || !each.element.isConnected) continue;
      next.push(each);
      origins.push(i);
      if (added.size > 0) insert(each.element);
    }
    this.last = { ...this.last, found: next };
    return origins;
  }

  /** The outermost element around a place that decides about what is in it, or about which that may decide otherwise. */
  private topOf(place: Element, reacts: Reacts): Element | undefined {
    const { contexts, dependent } = this.last;
    let top: Element | undefined;
    for (let at: Element | null = place; at; at = at.parentElement) {
      if (contexts.has(at)) top = at;
      else if (dependent.has(at) && this.isOtherwise(at, reacts)) top = at;
    }
    return top;
  }

  private isOtherwise(element: Element, reacts: Reacts): boolean {
    return usingSome(element.ownerDocument.defaultView, reacts)(element) !== this.listed.has(element);
  }

  /** The usable element before another one in the page, and the heading that both are under; `null` when it is too far. */
  private before(
    element: Element,
    changed: ReadonlySet<Element>,
    groups: ReadonlyMap<Element, readonly Found[]>,
  ): { after: Element | undefined; heading: Element | undefined } | null {
    const walker = element.ownerDocument.createTreeWalker(element.ownerDocument, 1);
    walker.currentNode = element;
    let heading: Element | undefined;
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const at = walker.previousNode() as Element | null;
      if (at?.nodeType !== 1) return { after: undefined, heading };
      if (isHeading(at)) heading ??= at;
      const group = groups.get(at);
      if (group) return { after: at, heading: heading ?? group[0]?.heading };
      if (this.listed.has(at) && !changed.has(at)) {
        const known = heading ?? this.last.found.find((each) => each.element === at)?.heading;
        return { after: at, heading: known };
      }
    }
    return null;
  }

  private hasNewRoot({ shadowRoot }: Element): boolean {
    return shadowRoot !== null && !this.roots.includes(shadowRoot);
  }

  private lose(): false {
    this.isAllInvalid = true;
    return false;
  }
}

/** Those that are in the page and in none of the others, in document order. */
function outermost(elements: ReadonlySet<Element>): Element[] {
  const outer = [...elements].filter((element) => {
    if (!element.isConnected) return false;
    for (let at = element.parentElement; at; at = at.parentElement) if (elements.has(at)) return false;
    return true;
  });
  const FOLLOWING = 4;
  return outer.length > 1 ? outer.sort((a, b) => (a.compareDocumentPosition(b) & FOLLOWING ? -1 : 1)) : outer;
}
