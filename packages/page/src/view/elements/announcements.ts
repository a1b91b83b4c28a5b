import type { PageView } from "../view.js";
import { textOf } from "./names.js";

const LIVE = "[role=alert],[role=status],[aria-live=polite],[aria-live=assertive],output";

/**
 * What the page announces: alerts, status lines, toasts. They cannot be used, so they are not in the tree, but they are
 * what a person looks at after an action.
 */
export function announcements(view: PageView): Map<Element, string> {
  const said = new Map<Element, string>();
  for (const root of view.tree.roots) {
    for (const element of root.querySelectorAll(LIVE)) {
      const isReportedElsewhere =
        element.querySelector(LIVE) || view.tree.entryOf(element) || view.isOurs(element);
      if (isReportedElsewhere || !element.checkVisibility()) continue;
      const text = textOf(element, view.masker);
      if (text !== "") said.set(element, text);
    }
  }
  return said;
}
