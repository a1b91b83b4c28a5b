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
  return explicit?.trim().split(/\s+/)[0]?.toLowerCase() || implicitRole(element);
}

/** Roles of tags, by tag. */
const TAG_ROLES: Readonly<Record<string, string>> = /* @__PURE__ */ Object.fromEntries(
  `article=article aside=complementary datalist=listbox details=group dialog=dialog dd=definition dt=term fieldset=group
   figure=figure footer=contentinfo form=form h1=heading h2=heading h3=heading h4=heading h5=heading h6=heading
   header=banner hr=separator html=document legend=legend li=listitem main=main math=math menu=list meter=meter
   nav=navigation ol=list optgroup=group option=option output=status progress=progressbar search=search section=region
   table=table tbody=rowgroup td=cell tfoot=rowgroup th=columnheader thead=rowgroup tr=row ul=list`
    .split(/\s+/)
    .map((pair) => pair.split("=")),
);

function implicitRole(element: Element): string {
  const { localName } = element;
  if (localName === "img") return element.getAttribute("alt") === "" ? "presentation" : "img";
  return (Object.hasOwn(TAG_ROLES, localName) && TAG_ROLES[localName]) || localName;
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
