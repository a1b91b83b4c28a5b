import { type Locator, MASK } from "@debug-bridge/protocol";
import type { Masker } from "../privacy/masker.js";
import { closestAcross, squash } from "../view/elements/dom.js";
import { nameOf } from "../view/elements/names.js";
import { roleOf } from "../view/elements/roles.js";
import { pathOf } from "./css-path.js";

const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy"];
/** Roles that Playwright finds by role and name as this engine does. */
const ROLES = new Set(
  "button checkbox combobox heading link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem".split(
    " ",
  ),
);
const USED = "button,a,input,select,textarea,summary,option,[role],[contenteditable],h1,h2,h3,h4,h5,h6";
const FIELDS = "input,select,textarea";
/** What a person would say an element is in. */
const AROUND =
  "li,tr,article,fieldset,section,dialog,form,[role=row],[role=listitem],[role=dialog],[role=group]";
/** Past this many elements, equal names are not looked for: a click must stay fast. */
const MAX_COMPARED = 2_000;
const MAX_TEXT = 80;

type Base = Omit<Locator, "nth" | "inside">;

/**
 * Ways to find this element again, the most robust first. Each finds exactly it now. Of an element that is gone, what it was like is
 * all that is known.
 */
export function locatorsOf(element: Element, masker: Masker): Locator[] {
  const root = element.getRootNode() as ParentNode;
  const locators: Locator[] = [];
  const add = (base: Base | undefined, matches: () => Element[]): void => {
    if (!base || base.value === "" || base.value.includes(MASK)) return;
    const found = element.isConnected ? matches() : [element];
    if (found.length === 1) locators.push(base);
    else if (found.length > 1) locators.push(...among(base, element, found, masker));
  };
  for (const attribute of TEST_IDS) {
    const value = element.getAttribute(attribute);
    if (value === null) continue;
    const named = attribute === "data-testid" ? {} : { attribute };
    add({ by: "testid", value, ...named }, () => [
      ...root.querySelectorAll(`[${attribute}="${CSS.escape(value)}"]`),
    ]);
  }
  const role = roleOf(element);
  const name = nameOf(element, masker);
  if (ROLES.has(role))
    add({ by: "role", role, value: name }, () =>
      used(root).filter((each) => roleOf(each) === role && nameOf(each, masker) === name),
    );
  if (element.matches(FIELDS)) {
    add({ by: "label", value: labelOf(element, masker) }, () =>
      [...root.querySelectorAll(FIELDS)].filter((each) => labelOf(each, masker) === name),
    );
    const placeholder = element.getAttribute("placeholder") ?? "";
    add({ by: "placeholder", value: placeholder }, () =>
      [...root.querySelectorAll(FIELDS)].filter((each) => each.getAttribute("placeholder") === placeholder),
    );
  } else if (!ROLES.has(role)) {
    const text = squash(element.textContent ?? "");
    if (text.length <= MAX_TEXT && !masker.isPrivate(element))
      add({ by: "text", value: masker.body(text) }, () => withText(root, element.localName, text));
  }
  if (element.isConnected) locators.push({ by: "css", value: pathOf(element) });
  return locators.filter(({ value }) => value.length <= 4_000).slice(0, 8);
}

/** One of several equal elements: by what it is in, if a text distinguishes that, and by its place among them. */
function among(base: Base, element: Element, found: readonly Element[], masker: Masker): Locator[] {
  const nth = found.indexOf(element);
  const place: Locator[] = nth === -1 ? [] : [{ ...base, nth }];
  for (
    let around = closestAcross(element, AROUND);
    around;
    around = around.parentElement ? closestAcross(around.parentElement, AROUND) : null
  ) {
    const container = around;
    if (found.filter((each) => container.contains(each)).length !== 1) break;
    const text = distinguishing(container, masker);
    if (text !== undefined) return [{ ...base, inside: { role: roleOf(container), text } }, ...place];
  }
  return place;
}

/** A line of a container's text that no other container of its role has. */
function distinguishing(container: Element, masker: Masker): string | undefined {
  const role = roleOf(container);
  const root = container.getRootNode() as ParentNode;
  const others = [...root.querySelectorAll(AROUND)]
    .slice(0, MAX_COMPARED)
    .filter((each) => each !== container && !each.contains(container) && roleOf(each) === role)
    .map((each) => squash(each.textContent ?? "").toLowerCase());
  const outer = closestAcross(container.parentElement ?? container, AROUND);
  if (outer && outer !== container && roleOf(outer) === role) return undefined;
  for (const line of textsIn(container)) {
    const text = masker.body(line);
    if (text.length < 2 || text.length > MAX_TEXT || text.includes(MASK)) continue;
    if (!others.some((each) => each.includes(text.toLowerCase()))) return text;
  }
  return undefined;
}

/** The texts of a container, one for each element that has text of its own. */
function textsIn(container: Element): string[] {
  return [container, ...container.querySelectorAll("*")]
    .slice(0, MAX_COMPARED)
    .filter((each) => !/^(?:script|style|option|button)$/.test(each.localName))
    .flatMap((each) =>
      [...each.childNodes].flatMap((node) => (node.nodeType === 3 ? squash(node.nodeValue ?? "") : [])),
    )
    .filter((text) => text !== "");
}

const used = (root: ParentNode): Element[] => [...root.querySelectorAll(USED)].slice(0, MAX_COMPARED);

function labelOf(element: Element, masker: Masker): string {
  const { labels } = element as HTMLInputElement;
  const isLabelled = (labels?.length ?? 0) > 0 || element.hasAttribute("aria-label");
  return isLabelled ? nameOf(element, masker) : "";
}

/** The innermost elements of a tag with this text. */
function withText(root: ParentNode, tag: string, text: string): Element[] {
  return [...root.querySelectorAll(tag)].filter(
    (each) => each.textContent !== null && squash(each.textContent) === text,
  );
}
