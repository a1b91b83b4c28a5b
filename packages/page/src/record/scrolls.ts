import { platform } from "../inert/platform.js";

/** A scroll ends when nothing moved for this long. */
const QUIET_MS = 150;
/** How long after a wheel or a finger moved a scroll is still the person's. */
const INPUT_TIMEOUT_MS = 500;

/** Reports where scrolls of the person ended. What the app scrolls itself, it does again in a replay. */
export class ScrollReporter {
  private personAt = Number.NEGATIVE_INFINITY;
  private timer: number | undefined;
  private moved: Element | undefined;

  constructor(
    private readonly page: Document,
    /** Without an element the page was scrolled. */
    private readonly report: (element: Element | undefined, x: number, y: number) => void,
  ) {}

  byPerson(): void {
    this.personAt = platform.now();
  }

  scrolled({ target }: Event): void {
    if (platform.now() - this.personAt > INPUT_TIMEOUT_MS) return;
    this.byPerson();
    const { scrollingElement, documentElement } = this.page;
    const element =
      (target as Node).nodeType === 1 ? (target as Element) : (scrollingElement ?? documentElement);
    if (this.moved !== element) this.end();
    this.moved = element;
    platform.clearTimeout(this.timer);
    this.timer = platform.setTimeout(() => this.end(), QUIET_MS);
  }

  stop(): void {
    platform.clearTimeout(this.timer);
    this.moved = undefined;
  }

  private end(): void {
    const { moved } = this;
    this.stop();
    if (!moved) return;
    const isPage = moved === this.page.scrollingElement || moved === this.page.documentElement;
    this.report(isPage ? undefined : moved, Math.round(moved.scrollLeft), Math.round(moved.scrollTop));
  }
}
