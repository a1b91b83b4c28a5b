import { MASK } from "@debug-bridge/protocol";
import { isMarked } from "../privacy/private-elements.js";
import { isElement } from "../view/elements/dom.js";
import type { PageView } from "../view/view.js";
import { describeNode, isLeftOut } from "./describe-node.js";
import { type Mutation, NODE } from "./events.js";
import type { Mirror } from "./mirror.js";

export interface SyncOptions {
  readonly view: PageView;
  readonly mirror: Mirror;
  /** A node was added whose own children, if any, are still to come. */
  onAdded(node: Node): void;
}

/**
 * Reports to a player how the children of a node changed since the last report: by comparing, and not by replaying every change,
 * so that thousands of changes between two looks cost one. Returns false when time ran out; the rest is found the next time.
 */
export function syncChildren(
  target: Node,
  out: Mutation,
  options: SyncOptions,
  isOver: () => boolean,
): boolean {
  const { mirror, view } = options;
  const known = mirror.get(target);
  if (!known || known.isPrivate) return true;
  for (const child of known.children.filter((each) => each.parentNode !== target))
    detachNode(child, out, options);
  let at = 0;
  for (let child = target.firstChild; child; child = child.nextSibling) {
    if (isLeftOut(child) || view.isOurs(child)) continue;
    // One that was moved further back is in the way of all others.
    const inTheWay = known.children[at];
    if (inTheWay && inTheWay !== child && known.children[at + 1] === child)
      detachNode(inTheWay, out, options);
    if (known.children[at] !== child) {
      detachNode(child, out, options);
      const next = known.children[at];
      add(child, target, next ? (mirror.get(next)?.id ?? null) : null, out, options);
      known.children.splice(at, 0, child);
    }
    at++;
    if (isOver()) return child.nextSibling === null;
  }
  return true;
}

/** Removes a node from what the player has, wherever that is. */
export function detachNode(node: Node, out: Mutation, { mirror }: SyncOptions): void {
  const known = mirror.get(node);
  if (!known?.parent) return;
  const parent = mirror.get(known.parent);
  mirror.forget(node);
  if (!parent) return;
  const at = parent.children.indexOf(node);
  if (at !== -1) parent.children.splice(at, 1);
  out.removes.push({ parentId: parent.id, id: known.id, ...shadow(known.parent) });
}

function add(node: Node, target: Node, nextId: number | null, out: Mutation, options: SyncOptions): void {
  const { mirror, view, onAdded } = options;
  const { masker } = view;
  const id = mirror.nextId();
  const slot = (node as Element).assignedSlot;
  const isPrivate = isElement(node) && (isMarked(masker, node) || (slot !== null && masker.isPrivate(slot)));
  mirror.add(node, { id, parent: target, isPrivate });
  const parentId = mirror.get(target)?.id ?? 0;
  out.adds.push({
    parentId,
    nextId,
    node: { ...describeNode(node, id, masker, isPrivate), ...shadow(target) },
  });
  if (isPrivate)
    out.adds.push({
      parentId: id,
      nextId: null,
      node: { type: NODE.text, id: mirror.nextId(), textContent: MASK },
    });
  else if (isElement(node)) onAdded(node);
}

const shadow = (parent: Node): { isShadow?: true } => (parent.nodeType === 11 ? { isShadow: true } : {});
