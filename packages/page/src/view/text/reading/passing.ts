import { truncate } from "@debug-bridge/protocol";
import type { Guard } from "../../../guard.js";
import { platform } from "../../../inert/platform.js";
import { nextFrame, sleep } from "../../../receipt/idle.js";
import { isElement, squash } from "../../elements/dom.js";
import { textOf } from "../../elements/names.js";
import type { PageView } from "../../view.js";
import { isOff } from "./screen.js";

/** A text that could be seen for a while. A message is one line; a part of the page has its own lines. */
export interface Passed {
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

interface Shown {
  readonly element: WeakRef<Element>;
  readonly text: string;
  readonly from: number;
  /** The element came, or announces what it says; not a part of the page that changed. */
  readonly isMessage: boolean;
}

const LIVE = "[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output";
const LOOKS = new Set(["class", "style", "hidden", "open"]);
/** How many elements are looked at after one change, and how many texts are remembered. */
const MAX_TOUCHED = 40;
const MAX_SHOWN = 50;
const MAX_PASSED = 100;
/** What has more inside is a part of the page, not a message. */
const MAX_INSIDE = 60;
const MAX_TEXT = 300;
const MAX_PART = 5_000;
/** A message that stays longer was there to be seen. */
const MAX_MS = 30_000;
/** After a look that took its time, so many times as long without another: a toast stays for seconds. */
const PAUSE = 5;
const MAX_PAUSE_MS = 200;

/**
 * Notices texts that come and go between two looks, such as toasts: after a change, what changed is read in the next
 * frame, and read again when something else changes.
 */
export class PassingTexts {
  /** Is called with each message that came and went. */
  onMessage: ((passed: Passed) => void) | undefined;
  private touched = new Map<Element, boolean>();
  private shown: Shown[] = [];
  private passed: Passed[] = [];
  private isScheduled = false;
  private pauseUntil = 0;

  constructor(
    private readonly view: PageView,
    private readonly guard: Guard,
  ) {
    view.watch.listen((records) => this.add(records));
  }

  /** The lines that could be seen after a moment, in a message or part of the page that is no longer the same. */
  since(moment: number): string[] {
    this.view.watch.flush();
    this.check();
    const passed = this.passed.filter(({ from }) => from >= moment);
    return [...new Set(passed.flatMap(({ text }) => text.split("\n")))];
  }

  private add(records: MutationRecord[]): void {
    if (this.view.page.readyState === "loading") return;
    for (const { type, target, attributeName, addedNodes } of records) {
      if (this.touched.size >= MAX_TOUCHED) break;
      if (type === "attributes" && !LOOKS.has(attributeName as string)) continue;
      let isText = type !== "childList";
      for (const node of addedNodes) {
        if (isElement(node)) this.touched.set(node, true);
        else isText = true;
      }
      if (!isText) continue;
      const at = isElement(target) ? target : target.parentElement;
      if (at && !this.touched.has(at)) this.touched.set(at, at.closest(LIVE) !== null);
    }
    if (this.isScheduled || (this.touched.size === 0 && this.shown.length === 0)) return;
    this.isScheduled = true;
    const pause = this.pauseUntil - platform.now();
    const wait = pause > 0 ? sleep(pause) : nextFrame(this.view.page.hidden);
    wait.then(this.guard.wrap(() => this.check()));
  }

  private check(): void {
    this.isScheduled = false;
    const startedAt = platform.now();
    const touched = this.touched;
    this.touched = new Map();
    this.shown = this.shown.filter((shown) => this.isStillThere(shown, startedAt));
    const known = new Set(this.shown.map(({ element }) => element.deref()));
    for (const [element, isMessage] of touched) {
      if (known.has(element)) continue;
      const text = this.textIn(element, isMessage);
      if (text !== "") this.shown.push({ element: new WeakRef(element), text, from: startedAt, isMessage });
    }
    this.shown.splice(0, this.shown.length - MAX_SHOWN);
    const took = platform.now() - startedAt;
    if (took > 2) this.pauseUntil = startedAt + Math.min(took * PAUSE, MAX_PAUSE_MS);
  }

  private isStillThere({ element, text, from, isMessage }: Shown, now: number): boolean {
    const at = element.deref();
    if (at && this.textIn(at, isMessage).includes(text)) return now - from < MAX_MS;
    const passed = { text, from, until: now };
    this.passed.push(passed);
    this.passed.splice(0, this.passed.length - MAX_PASSED);
    if (isMessage) this.onMessage?.(passed);
    return false;
  }

  /** The text of an element that can be seen and is small enough for a message. */
  private textIn(element: Element, isMessage: boolean): string {
    if (!element.isConnected || this.view.isOurs(element)) return "";
    if (element.getElementsByTagName("*").length > MAX_INSIDE || !element.checkVisibility()) return "";
    if (isOff(element, element.getBoundingClientRect())) return "";
    const { masker } = this.view;
    if (isMessage) return truncate(textOf(element, masker), MAX_TEXT);
    const text = textOf(element, masker, undefined, eachLine);
    return text.length > MAX_PART ? "" : text;
  }
}

const eachLine = (text: string): string =>
  text
    .split("\n")
    .map(squash)
    .filter((line) => line !== "")
    .join("\n");
