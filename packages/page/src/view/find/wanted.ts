import { BridgeError, type CommandOf, type UiTreeItem } from "@debug-bridge/protocol";
import { platform } from "../../inert/platform.js";
import type { SourceOf } from "../../source/frameworks/page-world.js";
import { deepActiveElement, squash } from "../elements/dom.js";
import { NAME_LENGTH } from "../text/outline/item-line.js";

/** What is searched for. */
export type Wanted = Omit<CommandOf<"find">, "type" | "sessionId" | "timestamp" | "origin">;

/** The pattern sees so many characters at a time, half of them again the next time: what it costs grows with a power. */
const WINDOW = 300;
const MAX_MS = 500;

const flat = (text: string): string => squash(text).toLowerCase();

/** Whether a text is what `text` and `pattern` want. */
export function textMatcher({ text, pattern }: Wanted): (candidate: string) => boolean {
  const part = text === undefined ? "" : flat(text);
  const regex = pattern === undefined ? undefined : new RegExp(pattern, "i");
  const ends = platform.now() + MAX_MS;
  const matches = (candidate: string): boolean => {
    for (let at = 0; regex; at += WINDOW / 2) {
      if (regex.test(candidate.slice(at, at + WINDOW))) return true;
      if (platform.now() > ends)
        throw new BridgeError(
          "timeout",
          `the pattern took more than ${MAX_MS} ms; use a simpler one, or text`,
        );
      if (at + WINDOW >= candidate.length) return false;
    }
    return true;
  };
  return (candidate) => flat(candidate).includes(part) && matches(candidate);
}

/** Whether an element is what `role`, `name`, `state` and `source` want. */
export function fits(element: Element, item: UiTreeItem, wanted: Wanted, sourceOf: SourceOf): boolean {
  const { role, name, state, source } = wanted;
  return (
    (role === undefined || item.role === role || element.localName === role) &&
    (name === undefined || flat(nameIn(item)).includes(flat(name))) &&
    (state === undefined
      ? item.visible !== false || item.hiddenBy === "occluded"
      : isIn(state, element, item)) &&
    (typeof source !== "string" || isFrom(sourceOf(element), source))
  );
}

/** Whether a source contains what is wanted. Line 1 is not line 12. */
function isFrom(source: string, wanted: string): boolean {
  const at = source.indexOf(wanted);
  return at >= 0 && !(/\d$/.test(wanted) && /^\d/.test(source.slice(at + wanted.length)));
}

/** The name of an element. What is long is what it holds, not what it is called. */
function nameIn({ name, text = "" }: UiTreeItem): string {
  return name ?? (text.length <= NAME_LENGTH ? text : "");
}

function isIn(state: NonNullable<Wanted["state"]>, element: Element, item: UiTreeItem): boolean {
  const { checked, expanded, selected } = item.meta ?? {};
  const has = (name: string): boolean =>
    element.matches(`:${name}`) || /^(?!false)./.test(element.getAttribute(`aria-${name}`) ?? "");
  switch (state) {
    case "checked":
      return checked === true;
    case "unchecked":
      return checked === false;
    case "mixed":
      return checked === state;
    case "expanded":
      return expanded === true;
    case "collapsed":
      return expanded === false;
    case "selected":
      return selected === true;
    case "disabled":
      return item.disabled === true;
    case "enabled":
      return !item.disabled;
    case "focused":
      return deepActiveElement(element.ownerDocument) === element;
    case "hidden":
      return item.visible === false;
    case "readonly":
      return (element as HTMLInputElement).readOnly || element.getAttribute("aria-readonly") === "true";
    default:
      return has(state);
  }
}
