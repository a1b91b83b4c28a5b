import { BridgeError, nearest, type Target, type UiTreeItem } from "@debug-bridge/protocol";
import type { DialectAddress, DialectTree } from "./tree.js";

const MAX_CANDIDATES = 5;

/** An element as it is named to the SDK. `item` is `undefined` for a selector, which only the page can resolve. */
export interface Resolved {
  readonly item: UiTreeItem | undefined;
  readonly address: DialectAddress;
}

/**
 * The one element that a target names, in the tree that the page sent last. The SDK itself would take the first that contains
 * a text; here two that match are refused, and so is what is hidden or disabled.
 */
export function resolveTarget(tree: DialectTree, target: Target): Resolved {
  if (target.point) throw unsupported("points");
  if (target.ref === undefined && target.selector !== undefined)
    return { item: undefined, address: { selector: target.selector } };
  const item = findItem(tree, target);
  if (!item) throw notFound(tree, target);
  const who = `${item.role} "${item.name ?? item.text ?? ""}"`;
  const refuse = (why: string): never => {
    throw new BridgeError("not_actionable", `${who} (${item.ref}) is ${why}. Nothing was done`);
  };
  if (item.visible === false) refuse("not visible");
  if (item.disabled) refuse("disabled");
  const address = tree.addressOf(item);
  if (!address)
    throw new BridgeError(
      "ambiguous_target",
      `the SDK of this app cannot distinguish ${who} (${item.ref}) from similar elements. Nothing was done; give it a data-testid, or name it by a selector`,
    );
  return { item, address };
}

/** Like `resolveTarget`, but only looks: `undefined` if nothing matches. */
export function findItem(tree: DialectTree, { ref, id, text, role, name }: Target): UiTreeItem | undefined {
  const { items } = tree;
  if (ref !== undefined) return items.find((item) => item.ref === ref) ?? stale(tree, ref);
  const byId = id === undefined ? undefined : items.find((item) => item.id === id);
  if (byId) return byId;
  if (text === undefined && role === undefined) return undefined;
  const wanted = text ?? name;
  const matches = items.filter(
    (item) =>
      (role === undefined || item.role === role || item.meta?.tagName === role) &&
      (wanted === undefined || textsOf(item).includes(wanted.trim())),
  );
  const visible = matches.filter((item) => item.visible !== false);
  const pool = visible.length > 0 ? visible : matches;
  if (pool.length <= 1) return pool[0];
  const refs = pool.slice(0, MAX_CANDIDATES).map((item) => item.ref);
  throw new BridgeError(
    "ambiguous_target",
    `${pool.length} elements match ${wordsOf({ text, role, name })}: ${refs.join(", ")}. Nothing was done; name one by its ref`,
    { candidates: pool.slice(0, 20) },
  );
}

export function unsupported(what: string): BridgeError {
  return new BridgeError(
    "not_supported",
    `this app uses debug-bridge-browser 0.2, which does not support ${what}; @debug-bridge/browser does`,
  );
}

function stale(tree: DialectTree, ref: string): never {
  throw new BridgeError(
    "stale_ref",
    tree.knows(ref)
      ? `the element of ${ref} left the page, or is another one now; call observe again to get a new ref`
      : `${ref} is unknown to this page; call observe again to get a new ref`,
    { candidates: [] },
  );
}

function notFound(tree: DialectTree, target: Target): BridgeError {
  const wanted = target.text ?? target.name ?? target.id ?? target.role ?? "";
  const near = nearest(wanted, tree.items, (item) => [...textsOf(item), item.id], MAX_CANDIDATES);
  const shown = near.map((item) => `"${item.name ?? item.text ?? item.id}" (${item.role} ${item.ref})`);
  const advice =
    near.length === 0 ? "Call observe to see what is there" : `Did you mean ${shown.join(", ")}?`;
  return new BridgeError("target_not_found", `no element matches ${wordsOf(target)}. ${advice}`, {
    candidates: near,
  });
}

function wordsOf(target: Target): string {
  return Object.entries(target)
    .filter(([, value]) => typeof value === "string")
    .map(([key, value]) => `${key} "${value}"`)
    .join(" and ");
}

function textsOf({ text, name }: UiTreeItem): string[] {
  return [text?.trim() ?? "", name?.trim() ?? ""].filter((each) => each !== "");
}
