import { BridgeError } from "@debug-bridge/protocol";
import { isDisabled } from "../view/elements/describe.js";
import { closestAcross } from "../view/elements/dom.js";
import { isDrawnByLabel } from "../view/elements/drawn-by-label.js";
import { VisibilityChecker } from "../view/elements/visibility.js";
import type { PageView } from "../view/view.js";
import { bringIntoView } from "./into-view.js";

/**
 * Makes sure that a person could use the element now, and scrolls to it if necessary. Throws `not_actionable` with the
 * reason before anything was done.
 *
 * @returns the element to point at: a control that is drawn by its label is used through the label.
 */
export function makeActionable(view: PageView, element: Element): Element {
  if (isDisabled(element)) {
    const fieldset = !element.hasAttribute("disabled") && element.closest("fieldset:disabled");
    const why = fieldset
      ? "its fieldset is disabled"
      : element.hasAttribute("disabled")
        ? "it is disabled"
        : "it has aria-disabled";
    throw refuse(view, element, why);
  }
  return makePointable(view, element);
}

/** Like `makeActionable`, for elements that may be pointed at even if they are disabled. */
export function makePointable(view: PageView, element: Element): Element {
  let pointed = element;
  let visibility = new VisibilityChecker(view.isOurs).of(element);
  if (visibility.hiddenBy) {
    bringIntoView(view, element);
    visibility = new VisibilityChecker(view.isOurs).of(element);
  }
  if (visibility.letsPressThrough || (visibility.hiddenBy && visibility.hiddenBy !== "inert")) {
    const label = visibleLabel(view, element);
    if (label) {
      bringIntoView(view, label, "nearest");
      pointed = label;
      visibility = new VisibilityChecker(view.isOurs).of(label);
    }
  }
  if (visibility.letsPressThrough)
    throw refuse(view, element, "it does not react to the pointer (pointer-events: none)");
  if (!visibility.hiddenBy) return pointed;
  const cover = visibility.coveredBy;
  const reasons = {
    hidden: "it is not displayed",
    "zero-size": "it has no size",
    inert: "it is inert: a dialog or the app blocks it",
    "off-screen": "it is outside the area that can be scrolled to",
    occluded: `${cover ? describeCover(view, cover) : "something"} covers it`,
  } as const;
  throw refuse(view, element, reasons[visibility.hiddenBy]);
}

function refuse(view: PageView, element: Element, why: string): BridgeError {
  const item = view.itemOf(element);
  return new BridgeError(
    "not_actionable",
    `${item.role} "${item.text ?? ""}" cannot be used: ${why}. Nothing was done`,
    { element: item },
  );
}

function visibleLabel(view: PageView, element: Element): Element | undefined {
  if (!isDrawnByLabel(element)) return undefined;
  return [...(element.labels ?? [])].find((label) => {
    const { hiddenBy } = new VisibilityChecker(view.isOurs).of(label);
    return hiddenBy === undefined || hiddenBy === "off-screen";
  });
}

function describeCover(view: PageView, cover: Element): string {
  const usable = closestAcross(cover, "dialog,[role=dialog],[role=alertdialog]");
  if (usable) return `the dialog "${view.itemOf(usable).text?.slice(0, 60) ?? ""}"`;
  const id = cover.id ? `#${cover.id}` : "";
  const classes =
    typeof cover.className === "string" && cover.className
      ? `.${cover.className.trim().split(/\s+/).join(".")}`
      : "";
  return `<${cover.localName}${id}${classes}>`;
}
