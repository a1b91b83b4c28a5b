import { type NumberStore, Numbers } from "../text/numbers.js";
import type { Context } from "./rows.js";

/** What a ref refers to: this element, as long as it has this role and name and belongs to the same row. */
export interface RefEntry {
  readonly number: number;
  readonly element: WeakRef<Element>;
  readonly role: string;
  readonly name: string;
  /** Only where others have the same role and name. */
  context: Context | undefined;
}

/** What is known of an element, in one place: looking up elements is a good part of what a large tree costs. */
interface Known {
  readonly anchor: number;
  readonly entries: RefEntry[];
}

/** How many identities of one element are remembered (a button that toggles between "Play" and "Pause" has two). */
const IDENTITIES = 8;
const SWEEP_EVERY = 5_000;

/**
 * Gives elements their refs. Elements are held weakly: the registry never keeps a part of the app alive. An element
 * that takes another role or name gets another ref, so that the old one fails closed; when the old role and name come
 * back, so does the old ref.
 */
export class Refs {
  private readonly entries = new Map<number, RefEntry>();
  private readonly byElement = new WeakMap<Element, Known>();
  /** Whether any ref holds only in its row. */
  areInRows = false;
  /** Before every ref: names the frame, in the engine of a frame that another engine's page holds. */
  prefix = "";
  private readonly numbers: Numbers;
  private readonly anchorNumbers: Numbers;

  constructor(store?: NumberStore) {
    this.numbers = new Numbers(store, "debug-bridge.refs");
    this.anchorNumbers = new Numbers(store, "debug-bridge.ids");
  }

  /** So many elements are about to be named. */
  expect(count: number): void {
    this.numbers.expect(count);
    this.anchorNumbers.expect(count);
  }

  /** The newest ref of the element in this role and name. */
  refOf(element: Element, role: string, name: string): string {
    const same = this.byElement
      .get(element)
      ?.entries.findLast((entry) => entry.role === role && entry.name === name);
    return this.named(same ?? this.add(element, role, name, undefined));
  }

  /** All that the element has been in this role and name: one for each row that it was in. */
  identitiesOf(element: Element, role: string, name: string): RefEntry[] {
    return (this.byElement.get(element)?.entries ?? []).filter(
      (entry) => entry.role === role && entry.name === name,
    );
  }

  add(element: Element, role: string, name: string, context: Context | undefined): RefEntry {
    const known = this.known(element).entries;
    const entry: RefEntry = {
      number: this.numbers.next(),
      element: new WeakRef(element),
      role,
      name,
      context,
    };
    this.entries.set(entry.number, entry);
    if (entry.number % SWEEP_EVERY === 0) this.sweep();
    known.push(entry);
    if (known.length > IDENTITIES) {
      const oldest = known.shift();
      if (oldest) this.entries.delete(oldest.number);
    }
    return entry;
  }

  /** Forgets the refs of elements that are gone for good. */
  private sweep(): void {
    for (const [number, { element }] of this.entries) if (!element.deref()) this.entries.delete(number);
  }

  named({ number }: RefEntry): string {
    return `${this.prefix}e${number}`;
  }

  find(ref: string): RefEntry | undefined {
    const [frame, number] = ref.split("e");
    return frame === this.prefix ? this.entries.get(Number(number)) : undefined;
  }

  /** A number for any element, including one that cannot be used; it stays as long as the element. */
  anchorOf(element: Element): number {
    return this.known(element).anchor;
  }

  private known(element: Element): Known {
    let known = this.byElement.get(element);
    if (!known) {
      known = { anchor: this.anchorNumbers.next(), entries: [] };
      this.byElement.set(element, known);
    }
    return known;
  }
}
