type Style = CSSStyleDeclaration & { whiteSpaceCollapse?: string };

/** The browser's objects are live: one for each element is enough for as long as it exists. */
const styles = new WeakMap<Element, Style>();
const before = new WeakMap<Element, Style>();
const after = new WeakMap<Element, Style>();

/** The style in force. */
export function styleOf(element: Element): Style {
  return kept(styles, element);
}

export type Pseudo = "::before" | "::after";

/** The style of what CSS draws before or after the content. */
export function pseudoStyle(element: Element, pseudo: Pseudo): Style {
  return kept(pseudo === "::before" ? before : after, element, pseudo);
}

/** What CSS draws before and after elements, for one reading. The browser works it out again each time that it is asked. */
export class PseudoContents {
  private readonly known = new Map<Element, { [pseudo in Pseudo]?: string }>();

  of(element: Element, pseudo: Pseudo): string {
    const known = this.known.get(element) ?? {};
    this.known.set(element, known);
    known[pseudo] ??= pseudoStyle(element, pseudo).content;
    return known[pseudo];
  }
}

function kept(all: WeakMap<Element, Style>, element: Element, pseudo?: string): Style {
  let style = all.get(element);
  if (!style) {
    style = (element.ownerDocument.defaultView as Window).getComputedStyle(element, pseudo);
    all.set(element, style);
  }
  return style;
}

/** Whether nothing in an element is drawn although it is rendered: cut to nothing, or content that is skipped. */
export function isOutOfSight(element: Element, style: CSSStyleDeclaration, display: string): boolean {
  if (display === "contents") return false;
  if (display !== "inline" && style.overflow !== "visible") {
    const { width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) return true;
  }
  return style.contentVisibility === "hidden" || !element.checkVisibility();
}

/** The text in what CSS draws before or after an element, without icons. */
export function drawnText(content: string): string {
  if (!content.includes('"')) return "";
  let text = "";
  for (const [, part = ""] of content.matchAll(/"((?:\\.|[^"\\])*)"/gs))
    text += part.replace(/\\(.)/gs, "$1");
  return text.replace(/[\ue000-\uf8ff]/g, "");
}

/** Whether an element is drawn in the line of what is around it. */
export function isInlineBox(display: string): boolean {
  return display.startsWith("inline") || display === "contents" || display.startsWith("ruby");
}

export function gapBefore(style: CSSStyleDeclaration, display: string): string {
  return isBox(display) ? gap(style.marginLeft, style.paddingLeft) : "";
}

export function gapAfter(style: CSSStyleDeclaration, display: string): string {
  return isBox(display) ? gap(style.marginRight, style.paddingRight) : "";
}

function isBox(display: string): boolean {
  return display.startsWith("inline-");
}

/** Boxes in a line are drawn apart when they have a margin or padding. */
function gap(margin: string, padding: string): string {
  return Number.parseFloat(margin) + Number.parseFloat(padding) >= 2 ? " " : "";
}
