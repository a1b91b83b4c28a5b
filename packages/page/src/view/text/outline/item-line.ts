import { stripControlCharacters, truncate, type UiTreeItem } from "@debug-bridge/protocol";

export const NAME_LENGTH = 120;
export const VALUE_LENGTH = 200;

/** Page text inside quotes: one line, without inner quotes and control characters. */
export function quoted(text: string, max = NAME_LENGTH): string {
  const flat = stripControlCharacters(text).replace(/\s+/g, " ").replace(/"/g, "'").trim();
  return `"${truncate(flat, max)}"`;
}

/** A value, which may have been cut before: what is missing in all is said, and how to read it. */
function valueText(value: string, ref: string | undefined): string {
  const cut = /… \[(\d+) more characters\]$/.exec(value);
  const known = cut ? value.slice(0, cut.index) : value;
  if (known.length <= VALUE_LENGTH) return quoted(value, VALUE_LENGTH);
  const missing = known.length - VALUE_LENGTH + Number(cut?.[1] ?? 0);
  const start = quoted(known.slice(0, VALUE_LENGTH), VALUE_LENGTH).slice(0, -1);
  return `${start}… [${missing} more characters${ref ? `: observe ${ref}` : ""}]"`;
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
  if (meta.value !== undefined && meta.value !== "") parts.push(`value ${valueText(meta.value, ref)}`);
  if (meta.options) parts.push(`options ${quoted(meta.options, VALUE_LENGTH)}`);
  if (meta.checked !== undefined)
    parts.push(meta.checked === "mixed" ? "mixed" : meta.checked ? "checked" : "unchecked");
  if (meta.expanded !== undefined) parts.push(meta.expanded ? "expanded" : "collapsed");
  if (meta.selected) parts.push("selected");
  if (disabled) parts.push("disabled");
  if (hiddenBy === "occluded") parts.push("covered");
  return parts.join(" ");
}
