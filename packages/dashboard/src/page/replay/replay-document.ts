import { fieldsOf, listOf, numberOf, textOf } from "../../details/fields.js";
import { boxInside, type ChangedBox } from "../changed-boxes.js";
import { SHEET, safeElement, setField, setSafely, withoutAddresses } from "./safe-nodes.js";

/** Numbers of rrweb. */
const FULL = 2;
const INCREMENTAL = 3;
const META = 4;
const MUTATION = 0;
const SCROLL = 3;
const RESIZE = 4;
const INPUT = 5;
const ELEMENT = 2;
const TEXT = 3;

/** A browser draws no deeper page, and a larger one would take all memory. */
const MAX_DEPTH = 400;
const MAX_NODES = 300_000;
const MAX_SIDE = 10_000;

type Root = Document | ShadowRoot;

/** A page that is built from the events of a replay. The events may say anything. */
export class ReplayDocument {
  private nodes = new Map<number, Node>();
  private readonly depths = new WeakMap<Node, number>();
  private readonly sheets = new WeakMap<Element, CSSStyleSheet>();
  private readonly ids = new WeakMap<Node, number>();
  private changedSheets = new Set<Root>();
  /** Where to scroll to, once the page has its content and its styles. */
  private readonly scrolled = new Map<Node, readonly [x: number, y: number]>();
  width = 0;
  height = 0;

  /** `base`: rules of ours for what is left out. */
  constructor(
    private readonly page: Document,
    private readonly base: string,
  ) {}

  apply(event: unknown): void {
    const { type, data } = fieldsOf(event);
    const fields = fieldsOf(data);
    if (type === META) this.resize(fields.width, fields.height);
    if (type === FULL) this.begin(fields.node, fieldsOf(fields.initialOffset));
    if (type === INCREMENTAL) this.change(fields);
  }

  /** Applies style rules that changed; once after several events. */
  finish(): void {
    // It is a picture: what it says is in the outline, and nothing in it can be used.
    this.page.documentElement?.setAttribute("aria-hidden", "true");
    this.page.documentElement?.setAttribute("inert", "");
    for (const root of this.changedSheets) {
      const own = [...root.querySelectorAll(SHEET)].flatMap((style) => this.sheets.get(style) ?? []);
      root.adoptedStyleSheets = root === this.page ? [this.sheet(this.base), ...own] : own;
    }
    this.changedSheets.clear();
    for (const [node, [left, top]] of this.scrolled) {
      const target = node === this.page ? this.page.scrollingElement : (node as Element);
      target?.scrollTo({ left, top, behavior: "instant" });
    }
    this.scrolled.clear();
  }

  /** The element with an id of the events. */
  elementOf(id: number): Element | undefined {
    const node = this.nodes.get(id);
    return node?.nodeType === 1 ? (node as Element) : undefined;
  }

  /** Where a node is drawn, in parts of the picture; undefined when nothing of it is seen. */
  boxOf(id: number): ChangedBox | undefined {
    const node = this.nodes.get(id);
    if (!node || node === this.page) return undefined;
    const range = this.page.createRange();
    if (node.nodeType === TEXT) range.selectNode(node);
    const rect = (node.nodeType === TEXT ? range : (node as Element)).getBoundingClientRect();
    return boxInside(rect, this);
  }

  private begin(node: unknown, offset: Record<string, unknown>): void {
    for (const child of [...this.page.childNodes]) child.remove();
    this.nodes = new Map();
    this.scrolled.clear();
    const { id, childNodes } = fieldsOf(node);
    this.registerNode(id, this.page, 0);
    for (const child of listOf(childNodes)) this.insert(child, this.page, null, 1);
    this.changedSheets.add(this.page);
    this.scroll(this.page, offset.left, offset.top);
  }

  private change(fields: Record<string, unknown>): void {
    const node = this.nodes.get(numberOf(fields.id) ?? -1);
    switch (fields.source) {
      case MUTATION:
        this.mutate(fields);
        break;
      case RESIZE:
        this.resize(fields.width, fields.height);
        break;
      case SCROLL:
        if (node) this.scroll(node, fields.x, fields.y);
        break;
      case INPUT:
        if (node?.nodeType !== 1) break;
        setField(node as Element, textOf(fields.text) ?? "");
        if (typeof fields.isChecked === "boolean") (node as HTMLInputElement).checked = fields.isChecked;
    }
  }

  private mutate({ removes, adds, texts, attributes }: Record<string, unknown>): void {
    for (const each of listOf(removes)) {
      const node = this.nodes.get(numberOf(fieldsOf(each).id) ?? -1);
      if (node && node !== this.page) this.remove(node as ChildNode);
    }
    for (const each of listOf(adds)) {
      const { parentId, nextId, node } = fieldsOf(each);
      const parent = this.nodes.get(numberOf(parentId) ?? -1);
      const next = this.nodes.get(numberOf(nextId) ?? -1) ?? null;
      if (parent) this.insert(node, parent, next, (this.depths.get(parent) ?? 0) + 1);
    }
    for (const each of listOf(texts)) {
      const { id, value } = fieldsOf(each);
      const node = this.nodes.get(numberOf(id) ?? -1);
      if (node?.nodeType === 3) node.nodeValue = textOf(value) ?? "";
    }
    for (const each of listOf(attributes)) {
      const { id, attributes: changed } = fieldsOf(each);
      const node = this.nodes.get(numberOf(id) ?? -1);
      if (node?.nodeType === 1) this.setAttributes(node as Element, fieldsOf(changed));
    }
  }

  private insert(given: unknown, parent: Node, next: Node | null, depth: number): void {
    if (depth > MAX_DEPTH || this.nodes.size > MAX_NODES) return;
    const { type, id, tagName, attributes, childNodes, textContent, isSVG, isShadow } = fieldsOf(given);
    const node =
      type === ELEMENT
        ? safeElement(this.page, tagName, isSVG === true)
        : type === TEXT
          ? this.page.createTextNode(textOf(textContent) ?? "")
          : undefined;
    if (!node) return;
    const target = isShadow === true ? shadowOf(parent) : parent;
    if (!target) return;
    try {
      target.insertBefore(node, next?.parentNode === target ? next : null);
    } catch {
      // A second root element, or a text in a document.
      return;
    }
    this.registerNode(id, node, depth);
    if (type !== ELEMENT) return;
    this.setAttributes(node as Element, fieldsOf(attributes));
    for (const child of listOf(childNodes)) this.insert(child, node, null, depth + 1);
  }

  private setAttributes(element: Element, attributes: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(attributes)) setSafely(element, name, value);
    const rules = textOf(attributes._cssText);
    if (rules === undefined || element.localName !== SHEET) return;
    this.sheets.set(element, this.sheet(withoutAddresses(rules)));
    this.changedSheets.add(element.getRootNode() as Root);
  }

  /** By script, because the policy of the page allows no other styles than its own. */
  private sheet(rules: string): CSSStyleSheet {
    const View = this.page.defaultView as Window & typeof globalThis;
    const sheet = new View.CSSStyleSheet();
    sheet.replaceSync(rules);
    return sheet;
  }

  private remove(node: ChildNode): void {
    const root = node.getRootNode() as Root;
    if (
      node.nodeType === 1 &&
      ((node as Element).localName === SHEET || (node as Element).querySelector(SHEET))
    )
      this.changedSheets.add(root);
    node.remove();
    this.forget(node);
  }

  private forget(top: Node): void {
    const open: Node[] = [top];
    for (let node = open.pop(); node; node = open.pop()) {
      this.nodes.delete(this.ids.get(node) ?? -1);
      for (const child of node.childNodes) open.push(child);
      const { shadowRoot } = node as Element;
      if (shadowRoot) open.push(...shadowRoot.childNodes);
    }
  }

  private registerNode(id: unknown, node: Node, depth: number): void {
    this.depths.set(node, depth);
    if (typeof id !== "number") return;
    this.nodes.set(id, node);
    this.ids.set(node, id);
  }

  private resize(width: unknown, height: unknown): void {
    const side = (value: unknown): number => Math.min(Math.max(numberOf(value) ?? 0, 1), MAX_SIDE);
    this.width = side(width);
    this.height = side(height);
  }

  private scroll(node: Node, x: unknown, y: unknown): void {
    if (node === this.page || node.nodeType === 1)
      this.scrolled.set(node, [numberOf(x) ?? 0, numberOf(y) ?? 0]);
  }
}

function shadowOf(host: Node): ShadowRoot | null {
  if (host.nodeType !== 1) return null;
  try {
    return (host as Element).shadowRoot ?? (host as Element).attachShadow({ mode: "open" });
  } catch {
    return null;
  }
}
