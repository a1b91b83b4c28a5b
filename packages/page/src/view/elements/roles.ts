import { getRole } from "dom-accessibility-api";

/** Roles of elements that a person uses rather than reads. */
export const WIDGET_ROLES = [
  "button",
  "checkbox",
  "combobox",
  "gridcell",
  "link",
  "listbox",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "option",
  "radio",
  "scrollbar",
  "searchbox",
  "slider",
  "spinbutton",
  "switch",
  "tab",
  "textbox",
  "treeitem",
] as const;

/** Input types without an ARIA role: their own name describes them best. */
const OWN_NAME = new Set(["color", "date", "datetime-local", "file", "month", "time", "week"]);
const LANDMARKS = new Set([
  "banner",
  "complementary",
  "contentinfo",
  "dialog",
  "alertdialog",
  "form",
  "main",
  "navigation",
  "region",
  "search",
]);

/** The role by ARIA: the `role` attribute, else what the element is; its tag where ARIA has no word for it. */
export function roleOf(element: Element): string {
  const explicit = element.getAttribute("role");
  const name = element.localName;
  if (!explicit) {
    if (name === "button" || name === "summary") return "button";
    if (name === "a" && element.hasAttribute("href")) return "link";
    if (name === "input") return inputRole(element as HTMLInputElement);
    if (name === "textarea") return "textbox";
    if (name === "select") {
      const { multiple, size } = element as HTMLSelectElement;
      return multiple || size > 1 ? "listbox" : "combobox";
    }
    if (name === "label") return "label";
    if ((element as HTMLElement).isContentEditable) return "textbox";
  }
  return getRole(element) || name;
}

function inputRole(input: HTMLInputElement): string {
  const { type } = input;
  switch (type) {
    case "button":
    case "submit":
    case "reset":
    case "image":
      return "button";
    case "checkbox":
    case "radio":
      return type;
    case "range":
      return "slider";
    case "number":
      return "spinbutton";
    case "search":
      return input.hasAttribute("list") ? "combobox" : "searchbox";
    default:
      if (OWN_NAME.has(type)) return type;
      return input.hasAttribute("list") ? "combobox" : "textbox";
  }
}

export function isLandmark(role: string): boolean {
  return LANDMARKS.has(role);
}

/** Level of a heading, 0 for anything else. */
export function headingLevel(element: Element): number {
  const tag = /^h([1-6])$/.exec(element.localName);
  if (tag) return Number(tag[1]);
  if (element.getAttribute("role") !== "heading") return 0;
  return Number(element.getAttribute("aria-level")) || 2;
}
