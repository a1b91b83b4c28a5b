/** The net effect of a batch of mutation records. */
export interface NetChange {
  /** Nodes that are in the page now and were not before, without those inside other new ones. */
  readonly added: Map<Node, Node[]>;
  /** Nodes that were in the page before and are not where they were, by the parent they left. */
  readonly removed: Map<Node, Node[]>;
  readonly attributes: Map<Element, Set<string>>;
  readonly texts: Set<Node>;
}

/**
 * The net effect of records, in the order in which they came. A node that came and went within the batch costs
 * nothing; changes inside a new node are part of that node.
 */
export function coalesce(records: readonly MutationRecord[]): NetChange {
  const came = new Set<Node>();
  const left = new Map<Node, Node>();
  const attributes = new Map<Element, Set<string>>();
  const texts = new Set<Node>();
  for (const record of records) {
    const { type, target } = record;
    if (type === "attributes") {
      const names = attributes.get(target as Element) ?? new Set();
      attributes.set(target as Element, names.add(record.attributeName as string));
    } else if (type === "characterData") texts.add(target);
    else {
      for (const node of record.removedNodes) {
        if (came.delete(node)) continue;
        if (!left.has(node)) left.set(node, target);
      }
      for (const node of record.addedNodes) came.add(node);
    }
  }
  const isNew = (node: Node): boolean => came.size > 0 && withinSet(node, came);
  const added = new Map<Node, Node[]>();
  for (const node of came) {
    const parent = node.parentNode;
    if (!parent || !node.isConnected || isNew(parent)) continue;
    // Put back where it was: nothing happened.
    if (left.get(node) === parent && !left.delete(node)) continue;
    put(added, parent, node);
  }
  const removed = new Map<Node, Node[]>();
  for (const [node, parent] of left) if (parent.isConnected && !isNew(parent)) put(removed, parent, node);
  for (const element of attributes.keys())
    if (!element.isConnected || isNew(element)) attributes.delete(element);
  for (const text of texts) if (!text.isConnected || isNew(text)) texts.delete(text);
  return { added, removed, attributes, texts };
}

function withinSet(node: Node, set: ReadonlySet<Node>): boolean {
  for (let at: Node | null = node; at; at = at.parentNode) if (set.has(at)) return true;
  return false;
}

function put(map: Map<Node, Node[]>, key: Node, node: Node): void {
  const list = map.get(key);
  if (list) list.push(node);
  else map.set(key, [node]);
}
