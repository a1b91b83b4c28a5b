import { stripControlCharacters } from "@debug-bridge/protocol";
import type { PageView } from "../../view.js";
import { itemLine, VALUE_LENGTH } from "./item-line.js";

/** A field with all of its text, when its line has no room for that; `undefined` for everything else. */
export function fieldText(view: PageView, element: Element): string | undefined {
  if (!/^(?:input|textarea)$/.test(element.localName) || view.masker.isSecretField(element)) return undefined;
  const { value } = element as HTMLInputElement;
  if (value.length <= VALUE_LENGTH) return undefined;
  const { meta = {}, ...item } = view.itemOf(element);
  const { value: _cut, ...rest } = meta;
  const lines = view.masker.text(value).split("\n").map(stripControlCharacters);
  return `${itemLine({ ...item, meta: rest })} value:\n${lines.join("\n")}`;
}
