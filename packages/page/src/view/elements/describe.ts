import {
  FIELD_LIMITS,
  MASK,
  stripControlCharacters,
  truncate,
  type UiTreeItem,
} from "@debug-bridge/protocol";
import type { Masker } from "../../privacy/masker.js";
import { holdsPrivate } from "../../privacy/private-elements.js";
import { innerTextOf } from "../text/reading/inner-text.js";
import { type Aria, ariaOf } from "./aria.js";
import { isPlain, nameOf, textOf } from "./names.js";
import { roleOf } from "./roles.js";

/** What an element is, apart from where it is and whether it can be seen. */
export interface Traits {
  readonly role: string;
  readonly name: string;
  readonly text: string;
  readonly disabled: boolean;
  readonly meta: NonNullable<UiTreeItem["meta"]>;
}

const LINE = 1_000;
/** Cut when it is masked, so that no half of a secret is left at the cut. */
const clean = (text: string): string => truncate(stripControlCharacters(text), LINE);

export function describe(element: Element, masker: Masker): Traits {
  const isPrivate = masker.isPrivate(element);
  const role = roleOf(element);
  const plain = isPlain(element);
  const aria = ariaOf(element);
  const name = nameOf(element, masker, plain, isPrivate, aria);
  const text = isControl(element)
    ? ""
    : isNamedByText(name, plain, aria)
      ? name
      : textOf(element, masker, isPrivate);
  return {
    role,
    name: clean(name),
    text: clean(text),
    disabled: isDisabled(element, aria),
    meta: metaOf(element, masker, isPrivate, aria, name + text),
  };
}

/** A control's inner text is its options or its raw value, neither of which a person reads as its text. */
function isControl(element: Element): boolean {
  const { localName } = element;
  return localName === "input" || localName === "select" || localName === "textarea";
}

function isNamedByText(name: string, plain: boolean, aria: Aria): boolean {
  return name !== "" && plain && aria("aria-label") === null && aria("aria-labelledby") === null;
}

/** The plain elements that a browser itself can disable. Custom elements can be disabled as well. */
const CAN_BE_DISABLED = /^(?:button|input|select|textarea|option|optgroup|fieldset|.*-.*)$/;

export function isDisabled(element: Element, aria = ariaOf(element)): boolean {
  if (CAN_BE_DISABLED.test(element.localName) && element.matches(":disabled")) return true;
  return aria("aria-disabled") === "true";
}

function metaOf(
  element: Element,
  masker: Masker,
  isPrivate: boolean,
  aria: Aria,
  accessibleName: string,
): NonNullable<UiTreeItem["meta"]> {
  const meta: NonNullable<UiTreeItem["meta"]> = {};
  const shown = (value: string | null): string | undefined =>
    value === null ? undefined : isPrivate && value !== "" ? MASK : clean(masker.text(value));
  const label = shown(aria("aria-label"));
  if (label !== undefined) meta["aria-label"] = label;
  const { localName } = element;
  if (localName === "a") {
    const href = element.getAttribute("href");
    if (href !== null) meta.href = isPrivate ? MASK : truncate(masker.url(href), FIELD_LIMITS.line);
  } else if (localName === "input" || localName === "button" || isControl(element)) {
    const type = element.getAttribute("type");
    if (type !== null) meta.type = clean(type);
    const name = element.getAttribute("name");
    if (name !== null) meta.name = clean(name);
    controlMeta(element as HTMLInputElement, meta, masker);
    const placeholder = shown(element.getAttribute("placeholder"));
    if (placeholder !== undefined) meta.placeholder = placeholder;
  } else if ((element as HTMLElement).isContentEditable) {
    meta.value = isPrivate ? MASK : truncate(editedText(element, masker), LINE);
  } else if (accessibleName === "" && !/^(?!none|presentation)./.test(element.getAttribute("role") ?? ""))
    meta.look = lookOf(element);
  stateMeta(element, meta, aria);
  return meta;
}

function editedText(element: Element, masker: Masker): string {
  return holdsPrivate(masker, element) ? textOf(element, masker) : masker.text(innerTextOf(element));
}

function controlMeta(control: HTMLInputElement, meta: NonNullable<UiTreeItem["meta"]>, masker: Masker): void {
  const { localName, type } = control;
  if (type === "checkbox" || type === "radio") {
    meta.checked = control.indeterminate ? "mixed" : control.checked;
    return;
  }
  if (
    localName === "button" ||
    type === "submit" ||
    type === "button" ||
    type === "reset" ||
    type === "image"
  )
    return;
  if (localName === "textarea") meta.kind = "multiline";
  else if (KINDS.test(type)) meta.kind = type;
  if (localName === "select") meta.options = optionsOf(control as unknown as HTMLSelectElement, masker);
  const value = heldBy(control);
  if (value === "") return;
  meta.value = masker.isSecretField(control) ? MASK : clean(masker.text(value));
}

/** Text fields that take not any text. */
const KINDS = /^(?:email|password|tel|url)$/;
const MAX_OPTIONS = 8;

/** The labels of the first options. */
function optionsOf({ options }: HTMLSelectElement, masker: Masker): string {
  const shown = Array.from(options).slice(0, MAX_OPTIONS);
  const labels = shown.map((option) => (masker.isPrivate(option) ? MASK : truncate(option.label, 40)));
  const more = options.length - shown.length;
  return clean(masker.text(labels.join(" | ")) + (more > 0 ? ` | ${more} more` : ""));
}

/** Colour and size of what nothing else identifies, such as a swatch or a shape: `#e53935 24x24`. */
function lookOf(element: Element): string {
  const style = element.ownerDocument.defaultView?.getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  const drawn = (element as SVGElement).ownerSVGElement ? style?.fill : style?.backgroundColor;
  const parts = drawn?.startsWith("rgb(") ? (drawn.match(/\d+/g) ?? []) : [];
  const colour = parts.map((part) => (256 + Number(part)).toString(16).slice(1)).join("");
  return `${colour && `#${colour} `}${Math.round(width)}x${Math.round(height)}`;
}

function heldBy(control: HTMLInputElement): string {
  const { type, files } = control;
  if (type === "file") return [...(files ?? [])].map((file) => file.name).join(", ");
  if (type !== "select-multiple") return control.value;
  const { selectedOptions } = control as unknown as HTMLSelectElement;
  return Array.from(selectedOptions, (option) => option.value).join(", ");
}

function stateMeta(element: Element, meta: NonNullable<UiTreeItem["meta"]>, aria: Aria): void {
  if (element.localName === "summary")
    meta.expanded = (element.parentElement as HTMLDetailsElement | null)?.open === true;
  const checked = aria("aria-checked") ?? aria("aria-pressed");
  if (checked !== null && meta.checked === undefined)
    meta.checked = checked === "mixed" ? "mixed" : checked === "true";
  const expanded = aria("aria-expanded");
  if (expanded !== null) meta.expanded = expanded === "true";
  const selected = aria("aria-selected") ?? aria("aria-current");
  if (selected !== null) meta.selected = selected !== "false";
}
