import { nameOfFile } from "./forms.js";

interface Marked {
  readonly __svelte_meta?: { readonly loc?: { readonly file: string; readonly line: number } };
  readonly __vueParentComponent?: {
    readonly type?: { readonly __file?: string; readonly __name?: string; readonly name?: string };
  };
  /** Written by our plugin: `src/app.tsx:6`, and the component if the framework does not know it. */
  readonly __debugBridgeSource?: string;
}

/** What a compiler, or our plugin, left at the element itself: Svelte, Vue, Solid. */
export function ofMarks(element: Element): string {
  const { __svelte_meta, __vueParentComponent, __debugBridgeSource } = element as unknown as Marked;
  const { loc } = __svelte_meta ?? {};
  if (loc) return `${nameOfFile(loc.file)}\n${loc.file}:${loc.line}`;
  const { __file: file = "", __name, name = __name } = __vueParentComponent?.type ?? {};
  if (file) return `${name ?? nameOfFile(file)}\n${__debugBridgeSource ?? file}`;
  const [, place, component = ""] = /^(.+:\d+)(?: ([\w$]+))?$/.exec(__debugBridgeSource ?? "") ?? [];
  return place === undefined ? "" : `${component}\n${place}`;
}
