/** The style in force. */
export function styleOf(element: Element): CSSStyleDeclaration & { whiteSpaceCollapse?: string } {
  return (element.ownerDocument.defaultView as Window).getComputedStyle(element);
}

/** Whether nothing in an element is drawn although it is rendered: cut to nothing, or content that is skipped. */
export function isOutOfSight(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.display === "contents") return false;
  if (style.overflow !== "visible" && style.display !== "inline") {
    const { width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) return true;
  }
  return style.contentVisibility === "hidden" || !element.checkVisibility();
}

/** The text that CSS draws before or after the content of an element, without icons. */
export function drawnText(element: Element, pseudo: "::before" | "::after"): string {
  const { content } = (element.ownerDocument.defaultView as Window).getComputedStyle(element, pseudo);
  if (!content.includes('"')) return "";
  let text = "";
  for (const [, part = ""] of content.matchAll(/"((?:\\.|[^"\\])*)"/gs))
    text += part.replace(/\\(.)/gs, "$1");
  return text.replace(/[\ue000-\uf8ff]/g, "");
}
