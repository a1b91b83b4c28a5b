import { type DomMutation, FIELD_LIMITS, MASK, truncate } from "@debug-bridge/protocol";
import type { Guard } from "../guard.js";
import { platform } from "../inert/platform.js";
import { whenIdle } from "../receipt/idle.js";
import type { Emit } from "../telemetry.js";
import { frameOf, isElement, parentAcross } from "../view/elements/dom.js";
import { SelectorMaker } from "../view/elements/selectors.js";
import type { PageView } from "../view/view.js";
import { coalesce, type NetChange } from "./coalesce.js";

const BATCH_MS = 60;
const IDLE_MS = 35;
/** One node's HTML in a mutation. */
const NODE_LENGTH = 8_192;
const NODES_PER_ENTRY = 200;
const BATCH_BYTES = 256 * 1_024;
/** How many bytes of mutations may be sent per second. Above it the rest is dropped and replaced by one snapshot. */
const BYTES_PER_SECOND = 512 * 1_024;
const RESYNC_MS = 1_000;
/** Records that are kept while waiting for idle time. */
const MAX_RECORDS = 50_000;

export interface MutationOptions {
  readonly view: PageView;
  readonly emit: Emit;
  readonly guard: Guard;
  /** Sends a snapshot, after mutations had to be dropped. */
  readonly resync: () => void;
}

/** Streams the changes of the DOM: queued in the observer, serialised in idle time, within a budget of bytes. */
export class MutationStream {
  private queue: MutationRecord[] = [];
  private scheduled = false;
  private live = false;
  private spent = 0;
  private second = 0;
  private dropped = 0;
  private resyncing = false;

  constructor(private readonly options: MutationOptions) {
    options.view.watch.listen((records) => this.add(records));
  }

  /** While off, nothing is queued: a snapshot comes first when it is turned on. */
  setLive(live: boolean): void {
    this.live = live;
    if (!live) this.queue = [];
  }

  private add(records: MutationRecord[]): void {
    if (!this.live) return;
    if (this.queue.length + records.length > MAX_RECORDS) {
      this.drop(records.length + this.queue.length, "more DOM changes than can be queued");
      this.queue = [];
      return;
    }
    for (const record of records) this.queue.push(record);
    if (this.scheduled) return;
    this.scheduled = true;
    platform.setTimeout(
      () =>
        whenIdle(
          this.options.guard.wrap(() => this.flush()),
          IDLE_MS,
        ),
      BATCH_MS,
    );
  }

  private flush(): void {
    this.scheduled = false;
    const records = this.queue;
    this.queue = [];
    if (!this.live || records.length === 0) return;
    const second = Math.floor(platform.now() / 1_000);
    if (second !== this.second) {
      this.second = second;
      this.spent = 0;
    }
    const left = Math.min(BATCH_BYTES, BYTES_PER_SECOND - this.spent);
    const writer = new MutationWriter(this.options.view, left);
    const mutations = writer.write(coalesce(records));
    this.spent += writer.bytes;
    if (mutations.length > 0) {
      this.options.emit({
        type: "dom_mutations",
        mutations,
        ...(writer.truncated ? { truncated: true } : {}),
      });
    }
    if (writer.dropped > 0)
      this.drop(writer.dropped, "DOM changes beyond the byte budget; a snapshot follows");
  }

  private drop(count: number, reason: string): void {
    this.options.guard.drop(count * 64);
    this.dropped += count;
    if (this.resyncing) return;
    this.resyncing = true;
    platform.setTimeout(
      this.options.guard.wrap(() => {
        this.resyncing = false;
        const dropped = this.dropped;
        this.dropped = 0;
        if (!this.live) return;
        this.options.emit({ type: "gap", dropped, reason });
        this.options.resync();
      }),
      RESYNC_MS,
    );
  }
}

/** Writes one batch, as far as its bytes go. */
class MutationWriter {
  bytes = 0;
  dropped = 0;
  truncated = false;
  private readonly selectors = new SelectorMaker();
  private readonly mutations: DomMutation[] = [];

  constructor(
    private readonly view: PageView,
    private readonly budget: number,
  ) {}

  write({ added, removed, attributes, texts }: NetChange): DomMutation[] {
    for (const parent of new Set([...removed.keys(), ...added.keys()])) {
      this.childList(parent, added.get(parent) ?? [], removed.get(parent) ?? []);
    }
    for (const [element, names] of attributes) for (const name of names) this.attribute(element, name);
    for (const text of texts) this.text(text);
    return this.mutations;
  }

  private childList(parent: Node, added: Node[], removed: Node[]): void {
    const put = (nodes: Node[]): string[] => {
      const out: string[] = [];
      for (const node of nodes) {
        if (this.view.isOurs(node)) continue;
        if (out.length >= NODES_PER_ENTRY || this.bytes > this.budget) {
          this.dropped++;
          continue;
        }
        const html = this.nodeHtml(node, parent);
        this.bytes += html.length;
        out.push(html);
      }
      return out;
    };
    const addedNodes = put(added);
    const removedNodes = put(removed);
    if (addedNodes.length + removedNodes.length === 0) return;
    this.push({ mutationType: "childList", targetSelector: this.selector(parent), addedNodes, removedNodes });
  }

  private nodeHtml(node: Node, parent: Node): string {
    const { masker } = this.view;
    const around = elementOf(parent);
    if (around && masker.isPrivate(around)) return MASK;
    if (node.nodeType === 3) return masker.fit(node.nodeValue ?? "", NODE_LENGTH, masker.url);
    const { html, truncated } = this.view.html(node, NODE_LENGTH);
    if (truncated) this.truncated = true;
    return html;
  }

  private attribute(element: Element, name: string): void {
    const { masker } = this.view;
    const value = element.getAttribute(name);
    const secret =
      // What is private in a frame's document is known when its own nodes are seen.
      name === "srcdoc" ||
      (name === "value" && masker.isSecretField(element)) ||
      masker.hides(name) ||
      masker.isPrivate(element);
    const shown =
      value === null ? null : secret && value !== "" ? MASK : masker.fit(value, NODE_LENGTH, masker.url);
    this.push({
      mutationType: "attributes",
      targetSelector: this.selector(element),
      attributeName: name,
      attributeValue: shown,
    });
  }

  private text(node: Node): void {
    const { masker } = this.view;
    const parent = parentAcross(node);
    const hidden = parent && masker.isPrivate(parent);
    const textContent = hidden ? MASK : masker.fit(node.nodeValue ?? "", NODE_LENGTH, masker.url);
    this.push({
      mutationType: "characterData",
      targetSelector: parent ? this.selector(parent) : "html",
      textContent,
    });
  }

  private push(mutation: DomMutation): void {
    const size =
      80 +
      mutation.targetSelector.length +
      (mutation.attributeValue?.length ?? 0) +
      (mutation.textContent?.length ?? 0);
    if (this.bytes + size > this.budget || this.mutations.length >= FIELD_LIMITS.mutations) {
      this.dropped++;
      return;
    }
    this.bytes += size;
    this.mutations.push(mutation);
  }

  private selector(node: Node): string {
    if (node.nodeType === 9) return "html";
    if (node.nodeType === 11) return this.selectors.of((node as ShadowRoot).host);
    return truncate(this.selectors.of(node as Element), FIELD_LIMITS.line - 100);
  }
}

/** The element, or the one that a root belongs to. */
function elementOf(node: Node): Element | null {
  if (isElement(node)) return node;
  return node.nodeType === 9 ? frameOf(node as Document) : ((node as ShadowRoot).host ?? null);
}
