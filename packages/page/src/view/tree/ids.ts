import type { Refs } from "./refs.js";

/**
 * Ids of elements on the wire: the app's `data-testid`, else a generated one that stays as long as the element lives.
 * When several elements share a test id, the first seen keeps it and the others get a number behind it.
 */
export class Ids {
  private readonly given = new WeakMap<Element, { testId: string; id: string }>();
  private readonly owners = new Map<string, WeakRef<Element>>();

  constructor(private readonly refs: Refs) {}

  idOf(element: Element): string {
    const testId = element.getAttribute("data-testid");
    if (!testId) return `el-${this.refs.anchorOf(element)}`;
    const known = this.given.get(element);
    if (known?.testId === testId && this.elementOf(known.id) === element) return known.id;
    let id = testId;
    for (let nth = 2; this.isTaken(id, element); nth++) id = `${testId}~${nth}`;
    this.given.set(element, { testId, id });
    return this.own(id, element);
  }

  /** The element that has this test id now. */
  elementOf(id: string): Element | undefined {
    return this.owners.get(id)?.deref();
  }

  private own(id: string, element: Element): string {
    if (this.owners.get(id)?.deref() !== element) {
      this.owners.set(id, new WeakRef(element));
      if (this.owners.size > 20_000) this.sweep();
    }
    return id;
  }

  private isTaken(id: string, element: Element): boolean {
    const owner = this.elementOf(id);
    return owner !== undefined && owner !== element && owner.isConnected;
  }

  private sweep(): void {
    for (const [id, owner] of this.owners) if (!owner.deref()?.isConnected) this.owners.delete(id);
  }
}
