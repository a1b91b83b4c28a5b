import { truncate, type UiTreeItem } from "@debug-bridge/protocol";
import { platform } from "../../inert/platform.js";
import { describe } from "../elements/describe.js";
import { queryDeep } from "../elements/selectors.js";
import type { Entry, UiTreeOptions } from "./ui-tree.js";

const keys = new Map<string, number>();
const MAX_LINE = 4_000;
/** Members of items and of their `meta` that are shown as text. The rest of `meta` is the app's own. */
const SHOWN = "id selector role text name value placeholder options look kind".split(" ");

/**
 * Entries for the items that an app names itself. They replace the built-in ones; an item whose selector finds an
 * element gets a ref, so that it can be used like any other.
 */
export function customEntries(
  read: () => readonly UiTreeItem[],
  options: UiTreeOptions,
  problems: Set<string>,
): Entry[] {
  return usableItems(read, problems).map((item): Entry => {
    const element = find(options.page, item);
    const { masker, refs } = options;
    const text = item.text === undefined ? {} : { text: masker.text(item.text) };
    const key = keyOf(item.id);
    const known = { ...item, ...text };
    if (!element) return { key, element: options.page.documentElement, item: known, name: item.text ?? "" };
    const { role, name } = describe(element, masker);
    const ref = refs.refOf(element, role, name);
    return { key, element, item: { ...known, ref }, name: item.name ?? item.text ?? name };
  });
}

/** The app's items as the wire takes them. One that cannot be used is reported and left out; the others stay. */
function usableItems(read: () => readonly UiTreeItem[], problems: Set<string>): UiTreeItem[] {
  const report = (where: string, why: unknown): void => {
    const problem = `${where}getUiTreeItems failed: ${why}`;
    if (!problems.has(problem)) console.warn(`debug-bridge: ${problem}`);
    problems.add(problem);
  };
  let items: readonly unknown[] = [];
  try {
    items = [...read()];
  } catch (thrown) {
    report("", thrown);
  }
  return items.flatMap((given, index) => {
    try {
      // As it travels: without functions, and refused if it holds itself.
      const item = usable(platform.parse(platform.stringify(given)));
      for (const field of SHOWN.slice(0, 3)) if (!item[field]) throw `it has no ${field}`;
      if (item.meta) item.meta = usable(item.meta);
      return [item as UiTreeItem];
    } catch (why) {
      report(`item ${index} of `, why);
      return [];
    }
  });
}

/** A copy in which what is shown is text, and not too long; null counts as left out. */
function usable(given: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(given)).map(([key, value]) => [
      key,
      SHOWN.includes(key) && value !== null ? truncate(String(value), MAX_LINE) : (value ?? undefined),
    ]),
  );
}

function find(page: Document, item: UiTreeItem): Element | undefined {
  try {
    return queryDeep(page, item.selector)[0];
  } catch {
    return undefined;
  }
}

/** Negative, so that they never collide with those of elements. */
function keyOf(id: string): number {
  let key = keys.get(id);
  if (key === undefined) {
    key = -1 - keys.size;
    keys.set(id, key);
  }
  return key;
}
