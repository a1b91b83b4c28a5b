import { BridgeError, nearest, type Target } from "@debug-bridge/protocol";
import { describe } from "../view/elements/describe.js";
import { squash } from "../view/elements/dom.js";
import { elementAt } from "../view/elements/frame-points.js";
import { nameOf } from "../view/elements/names.js";
import { isLandmark, roleOf } from "../view/elements/roles.js";
import { queryDeep } from "../view/elements/selectors.js";
import type { Entry } from "../view/tree/ui-tree.js";
import type { PageView } from "../view/view.js";

const MAX_CANDIDATES = 5;

/**
 * The one element that a target names. Throws `target_not_found` with near matches, `ambiguous_target` with all equal
 * ones, `stale_ref` when the element is no longer the one that the ref was given for. Never guesses.
 */
export function resolveTarget(view: PageView, target: Target): Element {
  const found = findTarget(view, target) ?? findInAll(view, target);
  if (found) return found;
  throw notFound(view, target);
}

/** Looks again after all of a large page was looked through for what became usable without a change of the page. */
function findInAll(view: PageView, target: Target): Element | undefined {
  if (target.text === undefined && target.role === undefined) return undefined;
  view.tree.invalidate(true);
  return findTarget(view, target);
}

/** Like `resolveTarget`, but `undefined` if nothing matches. */
export function findTarget(view: PageView, target: Target): Element | undefined {
  if (target.ref !== undefined) return byRef(view, target.ref);
  if (target.selector !== undefined) return bySelector(view, target.selector);
  if (target.id !== undefined) {
    const found = byId(view, target.id);
    if (found || (target.text ?? target.role) === undefined) return found;
  }
  if (target.text !== undefined) return byText(view, target.text, target.role);
  if (target.role !== undefined) return byRole(view, target.role, target.name);
  if (target.point !== undefined) return elementAt(view.page, target.point, view.isOurs)?.element;
  throw new BridgeError(
    "invalid_message",
    "name the element by one of ref, id, selector, text, role with name, or give a point",
    { field: "target" },
  );
}

function byRef(view: PageView, ref: string): Element {
  const entry = view.refs.find(ref);
  const element = entry?.element.deref();
  if (!entry) {
    throw new BridgeError(
      "stale_ref",
      `${ref} is unknown to this page; call observe again to get a new ref`,
      {
        candidates: [],
      },
    );
  }
  const was = `${ref} was the ${entry.role} "${entry.name}"`;
  if (!element || !view.isAttached(element)) throw stale(view, `${was}; it left the page`, entry);
  const now = describe(element, view.masker);
  if (now.role !== entry.role || now.name !== entry.name) {
    throw stale(view, `${was}; it is now the ${now.role} "${now.name}"`, entry, element);
  }
  const listed = view.tree.refresh().entryOf(element);
  if (listed?.item.ref !== undefined && listed.item.ref !== ref) {
    const peers = entry.context ? view.tree.inRowsLike(entry.context) : [];
    const moved = peers.find(({ item, name }) => item.role === entry.role && name === entry.name);
    throw stale(view, `${was} in a row that now holds something else`, entry, moved?.element);
  }
  return element;
}

/** `same` is the element itself if it still exists under another name, or what is now in its row. */
function stale(
  view: PageView,
  message: string,
  was: { role: string; name: string },
  same?: Element,
): BridgeError {
  const entries = view.tree.refresh().entries;
  const kind = entries.filter((entry) => entry.item.role === was.role);
  const near = nearest(was.name, kind.length > 0 ? kind : entries, textsOf, MAX_CANDIDATES);
  const first = entries.filter((entry) => entry.element === same);
  const candidates = [...new Set([...first, ...near])].slice(0, MAX_CANDIDATES);
  return new BridgeError("stale_ref", `${message}.${suggestion(candidates)}`, {
    candidates: view.tree.itemsOf(candidates),
  });
}

/** As `document.querySelector`: the first of several. */
function bySelector(view: PageView, selector: string): Element | undefined {
  try {
    return queryDeep(view.page, selector).find((element) => !view.isOurs(element));
  } catch {
    throw new BridgeError("invalid_message", `"${selector}" is not a CSS selector`, {
      field: "target.selector",
    });
  }
}

/** By the id of an item, else by test id, else by the `id` attribute; two of either are two that match. */
function byId(view: PageView, id: string): Element | undefined {
  const entries = view.tree.refresh().entries;
  const roots = view.tree.roots.length > 0 ? view.tree.roots : [view.page];
  const find = (selector: string): Element[] =>
    roots.flatMap((root) => [...root.querySelectorAll(selector)]).filter((each) => !view.isOurs(each));
  const listed = entries.find((entry) => entry.item.id === id);
  const tagged = find(`[data-testid="${CSS.escape(id)}"]`);
  if (tagged.length > 1) return onlyElement(view, tagged, `id "${id}"`);
  if (listed && listed.element !== view.page.documentElement) return listed.element;
  const known = view.ids.elementOf(id);
  if (known && view.isAttached(known)) return known;
  return tagged[0] ?? onlyElement(view, find(`#${CSS.escape(id)}`), `id "${id}"`);
}

function onlyElement(view: PageView, elements: readonly Element[], wanted: string): Element | undefined {
  return only(
    view,
    elements.map((element): Entry => {
      const item = view.itemOf(element);
      return { key: 0, element, item, name: item.name ?? item.text ?? "" };
    }),
    wanted,
  );
}

function byText(view: PageView, text: string, role: string | undefined): Element | undefined {
  const wanted = text.trim();
  const entries = view.tree.refresh().entries.filter((entry) => !role || hasRole(entry, role));
  const exact = entries.filter((entry) => textsOf(entry).includes(wanted));
  const found = only(view, exact, `text "${wanted}"`);
  if (found || role !== undefined) return found;
  // What only a listener makes clickable is in no tree. Its text still names it when it is the only one.
  const visible = innermostWith(view, squash(text)).filter(
    (element) => view.itemOf(element).visible !== false,
  );
  return onlyElement(view, visible, `text "${wanted}"`);
}

/** The innermost elements with exactly this text. */
function innermostWith(view: PageView, text: string): Element[] {
  const found: Element[] = [];
  const look = (element: Element): boolean => {
    if (/^(?:script|style|template|noscript|title|option)$/.test(element.localName) || view.isOurs(element))
      return false;
    const content = element.textContent ?? "";
    if (content.length < text.length) return false;
    let inside = false;
    for (const child of element.children) inside = look(child) || inside;
    if (inside || squash(content) !== text || view.masker.isPrivate(element)) return inside;
    found.push(element);
    return true;
  };
  const { roots } = view.tree;
  for (const root of roots.length > 0 ? roots : [view.page])
    for (const child of root.children)
      if (child.localName !== "head") look(child.querySelector(":scope > body") ?? child);
  return found;
}

function byRole(view: PageView, role: string, name: string | undefined): Element | undefined {
  const wanted = name?.trim();
  const words = `role ${role}${wanted === undefined ? "" : ` with name "${wanted}"`}`;
  // Landmarks are in the outline; the tree has only those that can be used.
  if (isLandmark(role)) {
    const parts = queryDeep(view.page, "*").filter(
      (element) =>
        roleOf(element) === role &&
        !view.isOurs(element) &&
        (wanted === undefined || nameOf(element, view.masker) === wanted),
    );
    return onlyElement(view, parts, words);
  }
  const entries = view.tree.refresh().entries.filter((entry) => hasRole(entry, role));
  const exact = wanted === undefined ? entries : entries.filter((entry) => textsOf(entry).includes(wanted));
  return only(view, exact, words);
}

/** A role by ARIA, or the tag, which is how the first version of the protocol calls inputs and links. */
function hasRole({ item, element }: Entry, role: string): boolean {
  return item.role === role || element.localName === role;
}

function textsOf({ item, name }: Entry): string[] {
  return [item.text ?? "", name].filter((text) => text !== "");
}

/**
 * The single match. Visible elements win over invisible ones, and a control over its label: they mean the same thing.
 * Two that are left are ambiguous.
 */
function only(view: PageView, matches: readonly Entry[], wanted: string): Element | undefined {
  const visible = matches.filter((entry) => entry.item.visible !== false);
  const pool = visible.length > 0 ? visible : matches;
  const elements = new Set(pool.map((entry) => entry.element));
  const distinct = pool.filter(({ element }) => {
    if (element.localName === "label") {
      const { control } = element as HTMLLabelElement;
      if (control && elements.has(control)) return false;
    }
    // A wrapper that is clickable only because of what is inside it.
    return ![...elements].some((other) => other !== element && element.contains(other));
  });
  if (distinct.length <= 1) return distinct[0]?.element;
  const candidates = view.tree.itemsOf(distinct.slice(0, 20));
  const refs = distinct
    .slice(0, MAX_CANDIDATES)
    .map(({ item }) => `${item.ref}${item.section ? ` under "${item.section}"` : ""}`);
  throw new BridgeError(
    "ambiguous_target",
    `${distinct.length} elements match ${wanted}: ${refs.join(", ")}. Nothing was done; name one by its ref`,
    { candidates },
  );
}

function notFound(view: PageView, target: Target): BridgeError {
  const wanted = target.text ?? target.name ?? target.id ?? target.selector ?? target.role ?? "";
  const entries = view.tree.refresh().entries;
  const near = nearest(wanted, entries, (entry) => [...textsOf(entry), entry.item.id], MAX_CANDIDATES);
  const description = Object.entries(target)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} "${typeof value === "object" ? `${value.x}, ${value.y}` : value}"`)
    .join(" and ");
  return new BridgeError("target_not_found", `no element matches ${description}.${suggestion(near)}`, {
    candidates: view.tree.itemsOf(near),
  });
}

function suggestion(near: readonly Entry[]): string {
  if (near.length === 0) return " Call observe to see what is there";
  const shown = near.map(({ item }) => `"${item.text || item.id}" (${item.role} ${item.ref ?? item.id})`);
  return ` Did you mean ${shown.join(", ")}?`;
}
