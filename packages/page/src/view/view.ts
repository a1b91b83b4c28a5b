import type { UiTreeItem } from "@debug-bridge/protocol";
import type { Guard } from "../guard.js";
import type { Masker } from "../privacy/masker.js";
import type { PageWorld } from "../source/frameworks/page-world.js";
import { describe } from "./elements/describe.js";
import { isAttached } from "./elements/dom.js";
import type { Reacts } from "./elements/reacting.js";
import { SelectorMaker } from "./elements/selectors.js";
import { VisibilityChecker } from "./elements/visibility.js";
import { Numbers, storageOf } from "./text/numbers.js";
import { AlikeRows } from "./text/outline/alike-rows.js";
import { Places } from "./text/places.js";
import { PassingTexts } from "./text/reading/passing.js";
import { Readings } from "./text/reading/readings.js";
import { htmlOf } from "./text/snapshot.js";
import { Ids } from "./tree/ids.js";
import { makeItem } from "./tree/make-item.js";
import { Refs } from "./tree/refs.js";
import { UiTree } from "./tree/ui-tree.js";
import { DomWatch } from "./watch.js";

export interface ViewOptions {
  readonly page: Document;
  readonly guard: Guard;
  readonly masker: Masker;
  /** Our own elements, left out of everything. */
  readonly ours: WeakSet<Node>;
  readonly getUiTreeItems?: (() => readonly UiTreeItem[]) | undefined;
  readonly reacting: (isAll: boolean) => Reacts;
  readonly pageWorld?: PageWorld | undefined;
}

/** Everything that is known of the page, readable from any world. */
export class PageView {
  readonly page: Document;
  readonly masker: Masker;
  readonly refs: Refs;
  readonly ids: Ids;
  readonly watch: DomWatch;
  readonly tree: UiTree;
  /** Names of frames that have a separate engine, which this one cannot enter. */
  readonly frameNames = new WeakMap<Element, string>();
  readonly readings = new Readings();
  readonly passing: PassingTexts;
  readonly places: Places;
  readonly alike: AlikeRows;
  /** What frameworks know of elements, in another world than the engine's. */
  readonly pageWorld: PageWorld | undefined;
  /** Called when the page was scrolled to what is about to be used. */
  onScrolled: (() => void) | undefined;
  private readonly ours: WeakSet<Node>;

  constructor(options: ViewOptions) {
    this.page = options.page;
    this.masker = options.masker;
    this.ours = options.ours;
    this.pageWorld = options.pageWorld;
    const store = storageOf(options.page.defaultView);
    this.refs = new Refs(store);
    this.ids = new Ids(this.refs);
    this.places = new Places(this.refs);
    this.watch = new DomWatch(options.guard, this.isOurs);
    this.watch.observe(options.page);
    this.alike = new AlikeRows(this.watch);
    this.tree = new UiTree({
      page: options.page,
      masker: this.masker,
      refs: this.refs,
      ids: this.ids,
      watch: this.watch,
      isOurs: this.isOurs,
      getUiTreeItems: options.getUiTreeItems,
      reacting: options.reacting,
      versions: new Numbers(store, "debug-bridge.versions"),
    });
    this.passing = new PassingTexts(this, options.guard);
  }

  readonly isOurs = (node: Node): boolean => this.ours.has(node);

  isAttached(element: Element): boolean {
    return isAttached(element, this.page);
  }

  /** An item for any element, including one that is not in the tree. */
  itemOf(element: Element): UiTreeItem {
    const known = this.tree.entryOf(element);
    if (known) return known.item;
    const traits = describe(element, this.masker);
    const visibility = new VisibilityChecker(this.isOurs).of(element);
    return makeItem({ element, traits, selector: new SelectorMaker().of(element), visibility }, this);
  }

  html(node: Node, maxLength: number): { html: string; truncated: boolean } {
    return htmlOf(node, { masker: this.masker, isOurs: this.isOurs, maxLength });
  }
}
