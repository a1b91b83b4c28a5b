import { platform } from "../inert/platform.js";
import { whenIdle } from "../receipt/idle.js";
import { type Reading, readPage } from "../view/text/reading/reading.js";
import type { PageView } from "../view/view.js";

/** After the last change. */
const QUIET_MS = 300;
const IDLE_MS = 2_000;
/** A page that changes again and again is read for at most so much of the time. */
const MAX_SHARE = 0.02;

/** What can change a page without a mutation, or does so while nothing is reported: each of them ends what was read ahead. */
const EVENTS = [
  ...[
    "scroll",
    "resize",
    "input",
    "change",
    "focusin",
    "focusout",
    "load",
    "toggle",
    "hashchange",
    "popstate",
  ],
  ...["pointerover", "pointerdown", "pointerup", "selectionchange", "visibilitychange"],
  ...["transitionrun", "transitionend", "animationstart", "animationend"],
];

/** A reading, and what must be the same for it to hold. */
interface Ahead {
  readonly reading: Reading;
  readonly version: number;
  readonly styles: string;
}

/**
 * Reads the page while nothing happens in it, so that new code does not wait for that. What was read holds until something happens
 * that could change it.
 */
export class ReadAhead {
  private ahead: Ahead | undefined;
  private changedAt = platform.now();
  private notBefore = 0;
  private timer: number | undefined;
  private isStopped = false;
  private readonly unhook: () => void;

  constructor(
    private readonly view: PageView,
    private readonly guard: { run<Value>(work: () => Value): Value | undefined },
  ) {
    const { page, watch } = view;
    const onChange = (): void => void guard.run(() => this.drop());
    const window = page.defaultView as Window;
    for (const event of EVENTS) window.addEventListener(event, onChange, { capture: true, passive: true });
    const unlisten = watch.listen(onChange);
    this.unhook = () => {
      unlisten();
      for (const event of EVENTS) window.removeEventListener(event, onChange, { capture: true });
    };
    this.schedule();
  }

  /** What the page reads now, if that is known. The tree must be up to date. */
  current(): Reading | undefined {
    return this.holds() ? { ...(this.ahead as Ahead).reading, at: platform.now() } : undefined;
  }

  stop(): void {
    this.isStopped = true;
    this.ahead = undefined;
    platform.clearTimeout(this.timer);
    this.unhook();
  }

  private drop(): void {
    this.ahead = undefined;
    this.changedAt = platform.now();
    this.schedule();
  }

  private schedule(): void {
    if (this.timer !== undefined || this.isStopped) return;
    const now = platform.now();
    const at = Math.max(this.changedAt + QUIET_MS, this.notBefore);
    this.timer = platform.setTimeout(
      () => {
        this.timer = undefined;
        if (platform.now() - this.changedAt < QUIET_MS) this.schedule();
        else whenIdle(() => void this.guard.run(() => this.read()), IDLE_MS);
      },
      Math.max(0, at - now),
    );
  }

  private read(): void {
    const { view } = this;
    // Where nobody looks, nobody waits.
    if (this.isStopped || view.page.hidden || isAnimated(view.page)) return;
    const startedAt = platform.now();
    view.tree.refresh();
    if (this.holds()) return;
    const reading = readPage(view);
    const { version } = view.tree;
    this.ahead = { reading, version, styles: stylesOf(view.page) };
    const now = platform.now();
    this.notBefore = now + (now - startedAt) / MAX_SHARE;
  }

  private holds(): boolean {
    const { page, tree } = this.view;
    if (!this.ahead || this.ahead.version !== tree.version || isAnimated(page)) return false;
    return this.ahead.styles === stylesOf(page);
  }
}

const isAnimated = (page: Document): boolean =>
  page.getAnimations().some(({ playState }) => playState === "running");

/** Changes when rules of style come or go without a change of the document. */
function stylesOf(page: Document): string {
  const isDark = page.defaultView?.matchMedia("(prefers-color-scheme: dark)").matches;
  const sheets = [...page.styleSheets, ...page.adoptedStyleSheets];
  return `${isDark} ${sheets.map(rulesIn)}`;
}

function rulesIn(sheet: CSSStyleSheet): number {
  try {
    return sheet.cssRules.length;
  } catch {
    // One of another site.
    return 0;
  }
}
