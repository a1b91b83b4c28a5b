import type { Refs } from "../tree/refs.js";

/** More than any answer has lines. */
const MAX_PLACES = 20_000;

/** Numbers for the places where lines start, so that a cursor can name one, and the places by these numbers. */
export class Places {
  private readonly places = new Map<number, WeakRef<Node>>();

  constructor(private readonly refs: Refs) {}

  anchorOf(node: object): number {
    const number = this.refs.anchorOf(node as Element);
    if (!this.places.has(number)) {
      this.places.set(number, new WeakRef(node as Node));
      if (this.places.size > MAX_PLACES) this.places.delete(this.places.keys().next().value as number);
    }
    return number;
  }

  /** The place, if it is still in the page. */
  find(number: number): Node | undefined {
    const node = this.places.get(number)?.deref();
    return node?.isConnected ? node : undefined;
  }
}
