import { isElement, parentAcross } from "../elements/dom.js";
import { HEADINGS } from "../elements/interactive.js";

/** Attributes that change what the elements below are, not only the element that has them. */
const INHERITED = new Set(["disabled", "data-bridge-mask", "contenteditable"]);
/** Attributes by which elements refer to each other. */
const RELATIONS = new Set(["id", "for", "aria-labelledby", "aria-owns"]);

/** Attributes that change how the content is drawn, whatever the style sheets. */
const LOOKS = new Set(["class", "style", "hidden", "inert", "open", "popover"]);

/** What follows is under another heading, or something elsewhere has another name. */
const FAR_REACHING = `${HEADINGS},label[for],input[id],select[id],textarea[id]`;
/** Attributes that make an element usable, or another kind of control. */
const KINDS = new Set("href tabindex type onclick contenteditable title draggable".split(" "));

function hasElement({ addedNodes, removedNodes }: MutationRecord): boolean {
  for (const node of addedNodes) if (node.nodeType === 1) return true;
  for (const node of removedNodes) if (node.nodeType === 1) return true;
  return false;
}

/** What mutation records have invalidated since the tree was last updated. */
export class Staleness {
  /** Elements came or went. */
  structure = true;
  /** What came or went concerns more than the places where it did, such as a heading. */
  isUnbounded = true;
  /** Where elements came or went, or became something else. */
  readonly places = new Set<Element>();
  /** Elements that came or became something else. */
  readonly came = new Set<Element>();
  /** Everything must be described again. */
  everything = true;
  readonly elements = new Set<Element>();
  /** Roots whose whole content is invalid. */
  readonly subtrees = new Set<Element>();
  /** Elements that came, or may look different: what is inside or under them may be seen or not. */
  readonly moved = new Set<Element>();
  private queue: MutationRecord[] = [];

  /** Runs inside the observer: only queues. */
  add(records: MutationRecord[]): void {
    if (this.everything) return;
    if (this.queue.length + records.length > 20_000) {
      this.everything = this.structure = this.isUnbounded = true;
      this.queue = [];
      return;
    }
    for (const record of records) this.queue.push(record);
  }

  get isClean(): boolean {
    return this.queue.length === 0 && !this.structure && !this.everything && this.elements.size === 0;
  }

  /** Works out which elements the queued records touch. */
  digest(): void {
    for (const record of this.queue) {
      const { type, target, attributeName } = record;
      if (type === "childList" && hasElement(record)) {
        this.structure = true;
        this.addPlace(record);
        for (const node of record.addedNodes) if (isElement(node)) this.moved.add(node);
      }
      if (type === "attributes") {
        if (LOOKS.has(attributeName as string)) this.moved.add(target as Element);
        if (RELATIONS.has(attributeName as string)) this.everything = true;
        if (INHERITED.has(attributeName as string)) this.subtrees.add(target as Element);
        if (attributeName === "role") this.structure = this.isUnbounded = true;
        if (KINDS.has(attributeName as string)) this.turn(target as Element);
      }
      this.touch(target);
    }
    this.queue = [];
  }

  /** An element became something else. */
  turn(element: Element): void {
    this.structure = true;
    this.places.add(element);
    this.came.add(element);
  }

  clear(): void {
    this.structure = this.everything = this.isUnbounded = false;
    this.places.clear();
    this.came.clear();
    this.elements.clear();
    this.subtrees.clear();
    this.moved.clear();
  }

  private addPlace({ target, addedNodes, removedNodes }: MutationRecord): void {
    if (isElement(target)) this.places.add(target);
    else this.isUnbounded = true;
    for (const node of addedNodes) if (isElement(node)) this.came.add(node);
    const root = target.getRootNode() as Document;
    for (const node of [...addedNodes, ...removedNodes]) {
      if (!isElement(node)) continue;
      for (const each of [node, ...node.querySelectorAll(FAR_REACHING)]) {
        if (!each.matches(FAR_REACHING)) continue;
        if (each.localName !== "label") this.isUnbounded = true;
        // It may name an element elsewhere, or take a name from it.
        const id = (each as HTMLLabelElement).htmlFor ?? each.id;
        if (id) for (const named of root.querySelectorAll(`#${CSS.escape(id)}`)) this.touch(named);
      }
    }
  }

  /** An element's name comes from what is inside it, so a change concerns everything around it. */
  private touch(node: Node): void {
    for (
      let at = isElement(node) ? node : parentAcross(node);
      at && !this.elements.has(at);
      at = parentAcross(at)
    ) {
      this.elements.add(at);
      if (at.localName === "label") {
        const { control } = at as HTMLLabelElement;
        if (control) this.elements.add(control);
      }
    }
  }
}
