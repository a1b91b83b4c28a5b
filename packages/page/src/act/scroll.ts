import type { CommandOf, CommandOutcome } from "@debug-bridge/protocol";
import { parentAcross } from "../view/elements/dom.js";
import type { PageView } from "../view/view.js";
import { pointAt } from "./pointing.js";
import { resolveTarget } from "./resolve.js";

/**
 * Scrolls an element into view, or inside it, or the page. Returns a function that reads the position after settling.
 */
export function scroll(view: PageView, command: CommandOf<"scroll">): () => CommandOutcome {
  const { target, x, y, to } = command;
  const pointed = target?.point ? pointAt(view, target, true) : undefined;
  const element = pointed?.element ?? (target ? resolveTarget(view, target) : undefined);
  const intoView = element !== undefined && x === undefined && y === undefined && to === undefined;
  const start = intoView ? parentAcross(element) : element;
  const box = start ? scrollerOf(start) : (view.page.scrollingElement ?? view.page.documentElement);
  const before = positionOf(box);
  if (intoView) element.scrollIntoView({ block: "center", behavior: "instant" });
  if (to) box.scrollTo({ top: to === "top" ? 0 : box.scrollHeight, behavior: "instant" });
  if (x !== undefined || y !== undefined) box.scrollBy({ left: x ?? 0, top: y ?? 0, behavior: "instant" });
  return () => {
    const position = positionOf(box);
    const moved = { x: position.x - before.x, y: position.y - before.y };
    return { value: { position, moved, ...pointed?.value } };
  };
}

function positionOf(box: Element): { x: number; y: number } {
  return { x: Math.round(box.scrollLeft), y: Math.round(box.scrollTop) };
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
