import { truncate } from "@debug-bridge/protocol";

const FIELDS = "input:not([type=hidden],[type=password]),textarea,select";
const MAX_FIELDS = 200;
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A field with something in it, and how it is found again in a page that was loaded again. */
export interface FieldContent {
  readonly key: string;
  readonly name: string;
  /** A hash: what is in the field must not be stored anywhere else. */
  readonly content: number;
}

/** Fields that a person or an agent filled in. What is in them stays here: only their names are reported. */
export function filledFields(page: Document): FieldContent[] {
  const fields = [...page.querySelectorAll<Field>(FIELDS)].slice(0, MAX_FIELDS);
  return fields.flatMap((element) => {
    if (!isFilled(element)) return [];
    const key = keyOf(element);
    const name = element.labels?.[0]?.textContent?.trim() || key;
    return [{ key, name: truncate(name, 60), content: hashOf(element) }];
  });
}

/** Which of these fields still hold what they held. In a page that was loaded again they are found by their names. */
export function compareFields(
  before: readonly FieldContent[],
  page: Document,
): { kept: number; lost: string[] } {
  const lost: string[] = [];
  for (const { key, name, content } of before) {
    const now = [...page.querySelectorAll<Field>(FIELDS)].find((element) => keyOf(element) === key);
    if (!now || hashOf(now) !== content) lost.push(`field "${name}"`);
  }
  return { kept: before.length - lost.length, lost };
}

function isFilled(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(
      (option) => option.selected !== option.defaultSelected && option.index > 0,
    );
  if (field instanceof HTMLInputElement && isToggle(field)) return field.checked !== field.defaultChecked;
  // Frameworks keep the attribute up to date, so that it is no sign of what the page began with.
  return field.value !== "";
}

const isToggle = ({ type }: HTMLInputElement): boolean => type === "checkbox" || type === "radio";

/** FNV-1a of what is in a field. */
function hashOf(field: Field): number {
  const text = field instanceof HTMLInputElement && isToggle(field) ? String(field.checked) : field.value;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** What stays the same when the page is loaded again. */
function keyOf(field: Field): string {
  if (field.id) return `#${field.id}`;
  const label = field.getAttribute("aria-label") ?? field.getAttribute("placeholder") ?? "";
  const same = [...field.ownerDocument.getElementsByTagName(field.localName)];
  return field.name || label || `${field.localName} ${same.indexOf(field) + 1}`;
}
