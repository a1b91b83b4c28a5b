import type { Masker } from "../privacy/masker.js";

/** Rules beyond this are left out of a replay. */
const MAX_LENGTH = 512 * 1_024;

type WithSheet = HTMLStyleElement | HTMLLinkElement;

/** Whether an element brings style rules. */
export const hasSheet = (element: Element): element is WithSheet =>
  element.localName === "style" || element.localName === "link";

/** How many rules an element brings; changes by script are noticed by it. -1 when they may not be read. */
export function ruleCount(element: WithSheet): number {
  try {
    return element.sheet?.cssRules.length ?? 0;
  } catch {
    return -1;
  }
}

/** The rules that an element brings as text; empty when they are from another origin, which may not be read. */
export function rulesOf(sheet: CSSStyleSheet | null, masker: Masker): string {
  let text = "";
  try {
    for (const rule of sheet?.cssRules ?? []) {
      text += textOfRule(rule, masker);
      if (text.length > MAX_LENGTH) break;
    }
  } catch {
    return "";
  }
  return text.slice(0, MAX_LENGTH);
}

/** The rules of several sheets. */
export const rulesOfAll = (sheets: readonly CSSStyleSheet[], masker: Masker): string =>
  [...sheets].map((sheet) => rulesOf(sheet, masker)).join("");

function textOfRule(rule: CSSRule, masker: Masker): string {
  const { styleSheet } = rule as CSSImportRule;
  if (styleSheet) return rulesOf(styleSheet, masker);
  const { cssText } = rule;
  // Addresses may hold secrets.
  return cssText.includes("?") ? masker.url(cssText) : cssText;
}
