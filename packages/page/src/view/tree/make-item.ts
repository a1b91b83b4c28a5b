import type { UiTreeItem } from "@debug-bridge/protocol";
import type { Traits } from "../elements/describe.js";
import type { Visibility } from "../elements/visibility.js";
import type { Ids } from "./ids.js";
import type { Refs } from "./refs.js";

/** What was found out about an element. */
export interface Findings {
  readonly element: Element;
  readonly traits: Traits;
  readonly selector: string;
  readonly visibility: Visibility;
  readonly section?: string | undefined;
}

/** An element as agents get it. */
export function makeItem(
  { element, traits, selector, visibility, section }: Findings,
  { ids, refs }: { readonly ids: Ids; readonly refs: Refs },
): UiTreeItem {
  const { role, name, text, disabled, meta } = traits;
  const ref = refs.refOf(element, role, name);
  const shown = text || name;
  const item: UiTreeItem = {
    id: ids.idOf(element),
    selector,
    role,
    text: shown,
    disabled,
    visible: visibility.visible,
    ref,
    meta,
  };
  if (name !== "" && name !== shown) item.name = name;
  if (visibility.hiddenBy) item.hiddenBy = visibility.hiddenBy;
  if (section) item.section = section;
  return item;
}
