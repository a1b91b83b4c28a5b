import type { PageView } from "../view/view.js";

/** Scrolls to what is about to be used. What that brings to the screen is no effect of the action. */
export function bringIntoView(
  view: PageView,
  element: Element,
  block: ScrollLogicalPosition = "center",
): void {
  element.scrollIntoView({ block, behavior: "instant" });
  view.onScrolled?.();
}
