/** Attributes in which build tools write where an element comes from. */
const ATTRIBUTES = [
  "data-source",
  "data-v-inspector",
  "data-astro-source-file",
  "data-inspector-relative-path",
];

interface Marked {
  readonly __svelte_meta?: { readonly loc?: { readonly file: string; readonly line: number } };
  readonly __vueParentComponent?: { readonly type?: { readonly __file?: string } };
  readonly [fiber: `__reactFiber$${string}`]: { readonly _debugStack?: { readonly stack?: string } };
}

/** Answers where an element comes from; empty when nothing says it. Made for one search. */
export type SourceOf = (element: Element) => string;

/**
 * Where an element comes from, as far as it says so itself. What frameworks attach to elements can be read only in the
 * page's own world.
 */
export function sourceOf(element: Element): string {
  for (const name of ATTRIBUTES) {
    const value = element.getAttribute(name);
    if (value) return value;
  }
  try {
    const marked = element as unknown as Marked;
    const { loc } = marked.__svelte_meta ?? {};
    if (loc) return `${loc.file}:${loc.line}`;
    const fiber = Object.keys(element).find((key) => key.startsWith("__reactFiber$")) as "__reactFiber$";
    return marked.__vueParentComponent?.type?.__file ?? marked[fiber]?._debugStack?.stack ?? "";
  } catch {
    return "";
  }
}
