/** A node that a player has, as it was last reported. */
export interface Known {
  readonly id: number;
  readonly parent: Node | null;
  /** Those of its children that the player has, in their order. */
  children: Node[];
  /** The app marked it private: the player has a mask in the place of its content. */
  readonly isPrivate: boolean;
}

/** What a player has of the page: an id for every node that was reported to it. */
export class Mirror {
  private readonly nodes = new WeakMap<Node, Known>();
  private last = 0;

  nextId(): number {
    return ++this.last;
  }

  get(node: Node): Known | undefined {
    return this.nodes.get(node);
  }

  add(node: Node, known: Omit<Known, "children">): void {
    this.nodes.set(node, { ...known, children: [] });
  }

  /** The player no longer has the node, nor what was in it. */
  forget(node: Node): void {
    const open = [node];
    for (let at = open.pop(); at; at = open.pop()) {
      const known = this.nodes.get(at);
      if (!known) continue;
      this.nodes.delete(at);
      for (const child of known.children) open.push(child);
      const root = (at as Element).shadowRoot;
      if (root) open.push(root);
    }
  }
}
