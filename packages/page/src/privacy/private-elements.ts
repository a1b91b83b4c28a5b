import { documentIn, isFrame } from "../view/elements/dom.js";
import { FIELDS, type Masker } from "./masker.js";

/*
 * What only views ask a masker. No methods, so that the part of the SDK that is there from the first line of a page does
 * not carry them.
 */

/** Looks at many elements of these roots at one moment: what is marked there is found out once for all of them. */
export function glance<Seen>(masker: Masker, roots: readonly ParentNode[], look: () => Seen): Seen {
  masker.nothingMarked = !masker.ask && roots.every((root) => root.querySelector(masker.selectors) === null);
  try {
    return look();
  } finally {
    masker.nothingMarked = false;
  }
}

/** Whether the app marked this very element private. */
export function isMarked(masker: Masker, element: Element): boolean {
  return element.matches(masker.selectors) || masker.matchesRedact(element);
}

/** Whether something below this was marked private, or is a field whose value must not be seen. */
export function holdsPrivate(masker: Masker, root: ParentNode): boolean {
  if (root.firstElementChild === null) return false;
  if (!masker.nothingMarked && root.querySelector(masker.selectors)) return true;
  if (masker.ask)
    for (const element of root.querySelectorAll("*")) if (masker.matchesRedact(element)) return true;
  for (const field of root.querySelectorAll(FIELDS)) if (masker.isSecretField(field)) return true;
  return false;
}

/** Finds the secret fields of a root and of the roots inside it, so that their values are known. */
export function findSecretFields(masker: Masker, root: ParentNode): void {
  for (const element of root.querySelectorAll("*")) {
    if (element.matches(FIELDS)) masker.isSecretField(element);
    const inner = element.shadowRoot ?? (isFrame(element) ? documentIn(element) : null);
    if (inner) findSecretFields(masker, inner);
  }
}
