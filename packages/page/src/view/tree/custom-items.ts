import type { UiTreeItem } from "@debug-bridge/protocol";
import { describe } from "../elements/describe.js";
import { queryDeep } from "../elements/selectors.js";
import type { Entry, UiTreeOptions } from "./ui-tree.js";

const keys = new Map<string, number>();

/**
 * Entries for the items that an app names itself. They replace the built-in ones; an item whose selector finds an
 * element gets a ref, so that it can be used like any other.
 */
export function customEntries(items: readonly UiTreeItem[], options: UiTreeOptions): Entry[] {
  return items.map((item): Entry => {
    const element = find(options.page, item);
    const { masker, refs } = options;
    const text = item.text === undefined ? {} : { text: masker.text(item.text) };
    const key = keyOf(item.id);
    if (!element)
      return {
        key,
        element: options.page.documentElement,
        item: { ...item, ...text },
        name: item.text ?? "",
      };
    const { role, name } = describe(element, masker);
    const ref = refs.refOf(element, role, name);
    return { key, element, item: { ...item, ...text, ref }, name: item.name ?? item.text ?? name };
  });
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
