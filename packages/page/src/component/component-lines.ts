import { stripControlCharacters } from "@debug-bridge/protocol";
import { toData } from "../app-data.js";
import { platform } from "../inert/platform.js";
import type { Masker } from "../privacy/masker.js";
import type { PageView } from "../view/view.js";
import { type ComponentData, readComponents } from "./read/read.js";

const VALUE_LENGTH = 500;
const NAME_LENGTH = 80;
const PRIVATE = "the app marked this element private: what its component holds is not shown";
const NO_COMPONENTS =
  "component unknown: the page does not report components. Pages of React, Preact and Lit do; those of Vue 3 and Angular in development";
const NOT_ASKED = "component unknown: this tab is read-only, so its own code cannot be queried";
const UNREADABLE = "  props and state are not known: its framework keeps them where nothing can read them";

/** The components of an element, innermost first: each value of their props and state on a line, masked. */
export function componentLines(element: Element, view: PageView): string[] {
  if (view.masker.isPrivate(element)) return [PRIVATE];
  const { pageWorld } = view;
  const read = pageWorld ? pageWorld.components(element) : readComponents(element);
  if (read === undefined) return [NOT_ASKED];
  const components = parsed(read);
  if (components.length === 0) return [NO_COMPONENTS];
  return components.flatMap(({ name, parts }, index) => [
    `${index === 0 ? "" : "in "}${nameText(name) || "(a component without a name)"}`,
    ...(parts.length === 0 ? [UNREADABLE] : []),
    ...parts.flatMap(([label, members, omitted]) => [
      ...(members.length === 0 ? [`  ${nameText(label)}: none`] : []),
      ...members.map(
        ([key, value]) => `  ${nameText(label)}.${nameText(key)} = ${valueText(key, value, view.masker)}`,
      ),
      ...(omitted > 0 ? [`  (${omitted} more ${nameText(label)})`] : []),
    ]),
  ]);
}

function valueText(key: string, value: unknown, masker: Masker): string {
  if (masker.hides(key, value)) return masker.mask;
  const text = platform.stringify(toData(value, masker));
  return masker.fit(stripControlCharacters(text), VALUE_LENGTH, (part) => part);
}

const nameText = (name: string): string =>
  stripControlCharacters(name).replace(/\s+/g, " ").slice(0, NAME_LENGTH);

/** What another world sent may be anything. */
function parsed(text: string): readonly ComponentData[] {
  if (text === "") return [];
  const isPair = (each: unknown): boolean => Array.isArray(each) && typeof each[0] === "string";
  const isPart = (part: ComponentData["parts"][number]): boolean =>
    isPair(part) && Array.isArray(part[1]) && part[1].every(isPair) && typeof part[2] === "number";
  const isComponent = (each: ComponentData | null): boolean =>
    typeof each?.name === "string" && Array.isArray(each.parts) && each.parts.every(isPart);
  try {
    const components = platform.parse(text) as ComponentData[];
    return Array.isArray(components) && components.every(isComponent) ? components : [];
  } catch {
    return [];
  }
}
