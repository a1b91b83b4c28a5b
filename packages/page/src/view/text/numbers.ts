import { platform } from "../../inert/platform.js";

/** How many numbers a document reserves first; then ten times as many, because each write is expensive. */
const FIRST_BLOCK = 20;
const LARGEST_BLOCK = 10_000;
const MAX_AT_ONCE = 20_000;
/** Refs have at most nine digits; far below that it starts again. */
const MAX_NUMBER = 900_000_000;

/** The part of `sessionStorage` that is used. */
export type NumberStore = Pick<Storage, "getItem" | "setItem">;

/**
 * Numbers that no other document of this tab has given out, so that what an agent remembers of the page before is
 * unknown in this one and never taken for something else. The next free number goes from document to document in the
 * tab's `sessionStorage`. When there is none to go on from (another origin, a second tab, no storage), the start is
 * random: short enough to be cheap to read, and rarely where another document is.
 */
export class Numbers {
  private at = 0;
  private end = 0;
  private block = FIRST_BLOCK;

  constructor(
    private readonly store: NumberStore | undefined,
    private readonly key: string,
  ) {}

  /** Reserves many numbers at once, with one write. */
  expect(count: number): void {
    if (this.end - this.at < count) this.block = Math.max(this.block, Math.min(count * 2, MAX_AT_ONCE));
  }

  next(): number {
    if (this.at >= this.end) this.reserve();
    return this.at++;
  }

  private reserve(): void {
    // Read each time: a document that comes back from the history finds that others have used numbers meanwhile.
    const from = Math.max(this.end, this.stored() || (this.end === 0 ? randomStart() : 0));
    this.at = from < MAX_NUMBER ? from : randomStart();
    this.end = this.at + this.block;
    this.block = Math.min(this.block * 10, LARGEST_BLOCK);
    try {
      this.store?.setItem(this.key, String(this.end));
    } catch {
      // Full, or forbidden: the next document starts at random.
    }
  }

  private stored(): number {
    try {
      const stored = Number(this.store?.getItem(this.key));
      return Number.isSafeInteger(stored) && stored > 0 ? stored : 0;
    } catch {
      return 0;
    }
  }
}

let ownStore: NumberStore | undefined;

/** Keeps the numbers of this world's engine elsewhere than in the tab's `sessionStorage`, where the page would see them. */
export function keepNumbersIn(store: NumberStore): void {
  ownStore = store;
}

/** The storage of a page's tab, `undefined` where reading the property alone throws. */
export function storageOf(window: Window | null): NumberStore | undefined {
  try {
    return ownStore ?? window?.sessionStorage;
  } catch {
    return undefined;
  }
}

/** Between 1,000 and 9,999. */
function randomStart(): number {
  return 1_000 + Math.floor(platform.random() * 9_000);
}
