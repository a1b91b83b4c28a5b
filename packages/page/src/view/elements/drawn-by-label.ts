import type { Entry } from "../tree/ui-tree.js";

/** Styled checkboxes, radios and file inputs are often invisible, and their labels are what a person clicks. */
export function isDrawnByLabel(control: Element): control is HTMLInputElement {
  return (
    control.localName === "input" && /^(?:checkbox|radio|file)$/.test((control as HTMLInputElement).type)
  );
}

type Entries = ReadonlyMap<Element, Entry>;

/** The label through which a person uses a control that cannot be seen itself. */
export function standInFor(control: Entry, entries: Entries): Element | undefined {
  const { element, item } = control;
  if (item.visible !== false || item.hiddenBy === "inert" || !isDrawnByLabel(element)) return undefined;
  return [...(element.labels ?? [])].find((label) => entries.get(label)?.item.visible !== false);
}
