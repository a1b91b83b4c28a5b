import type { CommandOf } from "@debug-bridge/protocol";
import { parentAcross } from "../look/dom.js";
import type { PageView } from "../look/view.js";
import { resolveTarget } from "./resolve.js";

/** Scrolls an element into view, or inside it, or the page. */
export function scroll(view: PageView, command: CommandOf<"scroll">): void {
  const { target, x, y, to } = command;
  const element = target ? resolveTarget(view, target) : undefined;
  if (element && x === undefined && y === undefined && to === undefined) {
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    return;
  }
  const box = element ? scrollerOf(element) : (view.page.scrollingElement ?? view.page.documentElement);
  if (to) box.scrollTo({ top: to === "top" ? 0 : box.scrollHeight, behavior: "instant" });
  if (x !== undefined || y !== undefined) box.scrollBy({ left: x ?? 0, top: y ?? 0, behavior: "instant" });
}

/** The element itself when it scrolls, else the nearest around it that does. */
function scrollerOf(element: Element): Element {
  for (let at: Element | null = element; at; at = parentAcross(at)) {
    const { overflowX, overflowY } = getComputedStyle(at);
    const scrolls = /auto|scroll|hidden/.test(`${overflowX}${overflowY}`);
    if (scrolls && (at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth)) return at;
  }
  return element.ownerDocument.scrollingElement ?? element.ownerDocument.documentElement;
}
