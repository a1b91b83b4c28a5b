import type { Guard } from "../guard.js";
import { platform } from "../inert/platform.js";
import { FIELDS } from "../privacy/masker.js";
import { isMarked } from "../privacy/private-elements.js";
import { whenIdle } from "../receipt/idle.js";
import { isElement } from "../view/elements/dom.js";
import type { PageView } from "../view/view.js";
import { detachNode, syncChildren } from "./child-sync.js";
import { isGiven, shownAttribute, shownField, shownText } from "./describe-node.js";
import { EVENT, emptyMutation, hasChanges, NODE, SOURCE } from "./events.js";
import { Mirror } from "./mirror.js";
import { hasSheet, ruleCount, rulesOf } from "./style-sheets.js";

/** How long one piece of work takes at most; the next one waits until the page is idle again. */
const SLICE_MS = 6;
/** When the page is never idle. */
const BUSY_SLICE_MS = 2;
const IDLE_TIMEOUT_MS = 500;
/** Changes are collected for this long. */
const PAUSE_MS = 50;
/** What no event reports, such as rules that a script inserts, is looked for this often. */
const POLL_MS = 1_000;
/** Messages are about this long, in characters, and no more than this many are sent in a second. */
const MESSAGE_LENGTH = 64 * 1_024;
const LENGTH_PER_SECOND = 2 * 1_024 * 1_024;
/** After so much a new beginning is sent, so that a reader need not go back further. */
const RESTART_LENGTH = 3 * 1_024 * 1_024;
const MAX_FIELDS = 500;

/** Sends events as JSON text. `isStart`: they begin with the whole page. */
export type SendEvents = (json: string, isStart: boolean) => void;

export interface WholePage {
  readonly events: string[];
  /** The id of a node in the events; that of its host for a shadow root. */
  idOf(node: Node): number | undefined;
  nextId(): number;
}

/**
 * Records what the page looks like, as the changes of its DOM: only which nodes changed is recorded when it happens; they are read,
 * masked and written in idle time, in small pieces.
 */
export class ReplayRecorder {
  private mirror = new Mirror();
  private readonly children = new Set<Node>();
  private readonly attributes = new Map<Element, Set<string>>();
  private readonly texts = new Set<Node>();
  private readonly scrolls = new Set<Node>();
  private readonly sheets = new Map<Element, number>();
  private readonly dirtySheets = new Set<Element>();
  private readonly fields = new Map<Element, string>();
  /** When something changed last. What is read later is of this time, because nothing changed since. */
  private changedAt = 0;
  private isResized = false;
  private isStart = true;
  private events: string[] = [];
  private length = 0;
  private sinceStart = 0;
  private isScheduled = false;
  private isOn = false;
  private ends: (() => void)[] = [];

  constructor(
    private readonly view: PageView,
    private readonly guard: Guard,
    private readonly send: SendEvents,
  ) {}

  /** Begins, or begins again, with the whole page. */
  start(): void {
    if (!this.isOn) this.listen();
    this.isOn = true;
    this.begin();
  }

  /** The whole page as it is now, as events in JSON, without following it. */
  whole(): WholePage {
    this.begin();
    // What is found in a node is added to the same sets, so that one pass reads everything.
    this.mutate(() => false);
    this.move();
    const { events, mirror } = this;
    this.clear();
    return { events, idOf: (node) => mirror.get(node)?.id, nextId: () => mirror.nextId() };
  }

  stop(): void {
    this.isOn = false;
    for (const end of this.ends.splice(0)) end();
    this.clear();
  }

  private clear(): void {
    for (const each of [this.children, this.attributes, this.texts, this.scrolls, this.sheets]) each.clear();
    this.dirtySheets.clear();
    this.fields.clear();
    this.events = [];
    this.length = 0;
  }

  private begin(): void {
    this.clear();
    this.mirror = new Mirror();
    this.isStart = true;
    this.sinceStart = 0;
    const { page, masker } = this.view;
    const {
      innerWidth: width,
      innerHeight: height,
      scrollX: left,
      scrollY: top,
    } = page.defaultView as Window;
    const id = this.mirror.nextId();
    this.mirror.add(page, { id, parent: null, isPrivate: false });
    this.push(EVENT.meta, { href: masker.url(page.location.href), width, height });
    const node = { type: NODE.document, id, childNodes: [] };
    this.push(EVENT.fullSnapshot, { node, initialOffset: { left, top } });
    this.children.add(page);
    this.changedAt = platform.epoch();
    this.schedule();
  }

  private listen(): void {
    const { page, watch } = this.view;
    const window = page.defaultView as Window;
    const on = (target: EventTarget, type: string, listener: (event: Event) => void): void => {
      const wrapped = this.guard.wrap(listener);
      target.addEventListener(type, wrapped, { capture: true, passive: true });
      this.ends.push(() => target.removeEventListener(type, wrapped, { capture: true }));
    };
    this.ends.push(watch.listen((records) => this.recordMutations(records)));
    on(page, "scroll", ({ target }) => {
      this.scrolls.add(target as Node);
      this.schedule();
    });
    on(window, "resize", () => {
      this.isResized = true;
      this.schedule();
    });
    for (const type of ["input", "change"]) on(window, type, () => this.poll());
    let timer: number | undefined;
    const again = this.guard.wrap(() => {
      this.poll();
      timer = platform.setTimeout(again, POLL_MS);
    });
    again();
    this.ends.push(() => platform.clearTimeout(timer));
  }

  /** Runs in the app's own time, so it records which nodes changed and nothing more. */
  private recordMutations(records: readonly MutationRecord[]): void {
    this.changedAt = platform.epoch();
    for (const { type, target, attributeName } of records) {
      if (type === "childList") {
        this.children.add(target);
        if (isElement(target) && hasSheet(target)) this.dirtySheets.add(target);
      } else if (type === "characterData") this.texts.add(target);
      else {
        const names = this.attributes.get(target as Element);
        if (names) names.add(attributeName as string);
        else this.attributes.set(target as Element, new Set([attributeName as string]));
      }
    }
    this.schedule();
  }

  /** Fields that scripts changed, and rules that they inserted. */
  private poll(): void {
    const { masker } = this.view;
    for (const [element, lastSent] of this.fields) {
      const known = this.mirror.get(element);
      if (!known) {
        this.fields.delete(element);
        continue;
      }
      const { text, isChecked } = shownField(element, masker, known.isPrivate);
      const now = `${isChecked} ${text}`;
      if (now === lastSent) continue;
      this.fields.set(element, now);
      this.push(EVENT.incremental, { source: SOURCE.input, id: known.id, text, isChecked });
    }
    for (const [element, count] of this.sheets) {
      if (!this.mirror.get(element)) this.sheets.delete(element);
      else if (ruleCount(element as HTMLStyleElement) !== count) this.dirtySheets.add(element);
    }
    if (this.events.length + this.dirtySheets.size > 0) this.schedule();
  }

  private schedule(delay = PAUSE_MS): void {
    if (this.isScheduled || !this.isOn) return;
    this.isScheduled = true;
    platform.setTimeout(
      () =>
        whenIdle(
          this.guard.wrap((deadline) => this.work(deadline)),
          IDLE_TIMEOUT_MS,
        ),
      delay,
    );
  }

  private work(deadline: IdleDeadline): void {
    this.isScheduled = false;
    if (!this.isOn) return;
    const { didTimeout } = deadline;
    const ends = platform.now() + (didTimeout ? BUSY_SLICE_MS : Math.min(SLICE_MS, deadline.timeRemaining()));
    const isOver = (): boolean => platform.now() > ends;
    this.mutate(isOver);
    this.move();
    const sent = this.flush();
    if (this.sinceStart > RESTART_LENGTH && this.children.size === 0) this.begin();
    if (this.children.size + this.dirtySheets.size + this.texts.size + this.attributes.size > 0)
      this.schedule(Math.max(1, (sent / LENGTH_PER_SECOND) * 1_000));
  }

  private mutate(isOver: () => boolean): void {
    const { view, mirror } = this;
    const { masker } = view;
    const out = emptyMutation();
    const options = { view, mirror, onAdded: (node: Node) => this.onAdded(node as Element) };
    for (const [element, names] of this.attributes) {
      this.attributes.delete(element);
      const known = mirror.get(element);
      if (!known || view.isOurs(element)) continue;
      if (known.parent && isMarked(masker, element) !== known.isPrivate) {
        detachNode(element, out, options);
        this.children.add(known.parent);
        continue;
      }
      // Whether something is private may depend on what is around it.
      for (const inner of element.querySelectorAll(masker.selectors)) {
        const { isPrivate = true, parent } = mirror.get(inner) ?? {};
        if (isPrivate || !parent) continue;
        detachNode(inner, out, options);
        this.children.add(parent);
      }
      const changed = [...names]
        .filter((name) => isGiven(element, name))
        .map((name) => [name, shownAttribute(element, name, masker, known.isPrivate)]);
      if (changed.length > 0) out.attributes.push({ id: known.id, attributes: Object.fromEntries(changed) });
    }
    for (const node of this.texts) {
      this.texts.delete(node);
      const known = mirror.get(node);
      const parent = node.parentNode;
      if (known) out.texts.push({ id: known.id, value: shownText(node, masker) });
      else if (parent && isElement(parent) && hasSheet(parent)) this.dirtySheets.add(parent);
    }
    for (const target of this.children) {
      if (isOver()) break;
      this.children.delete(target);
      if (!syncChildren(target, out, options, isOver)) this.children.add(target);
    }
    for (const element of this.dirtySheets) {
      if (isOver()) break;
      this.dirtySheets.delete(element);
      const known = mirror.get(element);
      if (!known) continue;
      this.sheets.set(element, ruleCount(element as HTMLStyleElement));
      const rules = rulesOf((element as HTMLStyleElement).sheet, masker);
      out.attributes.push({ id: known.id, attributes: { _cssText: rules } });
    }
    if (hasChanges(out)) this.push(EVENT.incremental, out, this.changedAt);
  }

  private onAdded(element: Element): void {
    const { shadowRoot } = element;
    if (element.firstChild) this.children.add(element);
    if (hasSheet(element)) this.dirtySheets.add(element);
    if (element.scrollTop !== 0 || element.scrollLeft !== 0) this.scrolls.add(element);
    if (this.fields.size < MAX_FIELDS && element.matches(FIELDS)) {
      const { text, isChecked } = shownField(element, this.view.masker, false);
      this.fields.set(element, `${isChecked} ${text}`);
    }
    if (!shadowRoot) return;
    const id = this.mirror.get(element)?.id ?? 0;
    this.mirror.add(shadowRoot, { id, parent: element, isPrivate: false });
    this.view.watch.observe(shadowRoot);
    this.children.add(shadowRoot);
  }

  private move(): void {
    const { page } = this.view;
    const { innerWidth: width, innerHeight: height, scrollX, scrollY } = page.defaultView as Window;
    if (this.isResized) this.push(EVENT.incremental, { source: SOURCE.resize, width, height });
    this.isResized = false;
    for (const target of this.scrolls) {
      const known = this.mirror.get(target);
      const [x, y] =
        target === page
          ? [scrollX, scrollY]
          : [(target as Element).scrollLeft, (target as Element).scrollTop];
      if (known) this.push(EVENT.incremental, { source: SOURCE.scroll, id: known.id, x, y });
    }
    this.scrolls.clear();
  }

  private push(type: number, data: object, timestamp = platform.epoch()): void {
    const json = platform.stringify({ type, data, timestamp });
    this.events.push(json);
    this.length += json.length;
  }

  /** Sends what there is, once it is enough or nothing more is to come at once; returns how much that was. */
  private flush(): number {
    if (this.events.length === 0) return 0;
    if (this.children.size > 0 && this.length < MESSAGE_LENGTH) return 0;
    const { length } = this;
    this.send(`[${this.events.join(",")}]`, this.isStart);
    this.events = [];
    this.length = 0;
    this.isStart = false;
    this.sinceStart += length;
    return length;
  }
}
