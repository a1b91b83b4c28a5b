import { stripControlCharacters, truncate, type UiTreeItem } from "@debug-bridge/protocol";

export const NAME_LENGTH = 120;
export const VALUE_LENGTH = 200;

/** Page text inside quotes: one line, without inner quotes and control characters. */
export function quoted(text: string, max = NAME_LENGTH): string {
  const flat = stripControlCharacters(text).replace(/\s+/g, " ").replace(/"/g, "'").trim();
  return `"${truncate(flat, max)}"`;
}

/**
 * An element on one line for a language model.
 *
 * @example itemLine(item) // 'e12 button "Save" disabled'
 */
export function itemLine(item: UiTreeItem): string {
  const { ref, id, role, text, name, disabled, hiddenBy, meta = {} } = item;
  const parts = [ref ?? id, role];
  const label = name ?? text ?? "";
  if (label !== "") parts.push(quoted(label));
  else if (meta.placeholder) parts.push(`placeholder ${quoted(meta.placeholder)}`);
  else if (meta.look) parts.push(meta.look);
  if (meta.kind) parts.push(meta.kind);
  if (meta.value !== undefined && meta.value !== "") parts.push(`value ${quoted(meta.value, VALUE_LENGTH)}`);
  if (meta.options) parts.push(`options ${quoted(meta.options, VALUE_LENGTH)}`);
  if (meta.checked !== undefined)
    parts.push(meta.checked === "mixed" ? "mixed" : meta.checked ? "checked" : "unchecked");
  if (meta.expanded !== undefined) parts.push(meta.expanded ? "expanded" : "collapsed");
  if (meta.selected) parts.push("selected");
  if (disabled) parts.push("disabled");
  if (hiddenBy === "occluded") parts.push("covered");
  return parts.join(" ");
}
