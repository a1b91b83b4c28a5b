const SVG = "http://www.w3.org/2000/svg";
/** In the place of what brings style rules: the policy of the page reports every style element, even an empty one. */
export const SHEET = "x-sheet";
const NAME = /^[a-z][\w.:-]{0,60}$/i;
/** What could load or run something is shown as a box. */
const BOXES =
  /^(?:script|noscript|template|meta|base|object|embed|applet|frame|frameset|portal|iframe|foreignobject)$/i;
/** Pictures and films are not in a replay; a box of their size is. */
const LEFT_OUT = /^(?:img|video|audio|canvas|iframe|picture)$/i;
const ADDRESS =
  /^(?:src|srcset|href|xlink:href|action|formaction|background|poster|data|ping|manifest|srcdoc|cite|longdesc|usemap|target|is|style|autofocus|contenteditable|_csstext|rr_.*|on.*)$/i;
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=]+$/i;
const MAX_TEXT = 1_000_000;

/** An element of a replay. Whatever the events say, it loads nothing, runs nothing and leads nowhere. */
export function safeElement(page: Document, tagName: unknown, isSvg: boolean): Element {
  const given = typeof tagName === "string" && NAME.test(tagName) ? tagName : "div";
  const name = given.toLowerCase();
  if (name === "link" || name === "style") {
    const holder = page.createElement(SHEET);
    holder.hidden = true;
    return holder;
  }
  const isBox = BOXES.test(name);
  const element =
    isSvg && !isBox ? page.createElementNS(SVG, given) : page.createElement(isBox ? "div" : name);
  if (LEFT_OUT.test(name)) element.setAttribute("data-left-out", name);
  return element;
}

/** Sets, or with null removes, an attribute, if it can do no harm. */
export function setSafely(element: Element, name: string, value: unknown): void {
  const text =
    value === true ? "" : typeof value === "string" || typeof value === "number" ? String(value) : null;
  if (name === "style") setStyle(element, text ?? "");
  else if (name === "rr_width" || name === "rr_height") setSize(element, name, text ?? "");
  else if (/^(?:xlink:)?href$/.test(name) && text?.startsWith("#")) element.setAttribute("href", text);
  else if (name === "src" && text !== null && DATA_IMAGE.test(text)) {
    element.setAttribute("src", text);
    element.removeAttribute("data-left-out");
  } else if (name === "rr_dataURL" && text !== null && DATA_IMAGE.test(text)) setPixels(element, text);
  else if (!ADDRESS.test(name)) setPlainly(element, name, text);
}

function setPlainly(element: Element, name: string, text: string | null): void {
  if (!NAME.test(name)) return;
  if (text === null) element.removeAttribute(name);
  else element.setAttribute(name, text.slice(0, MAX_TEXT));
  if (name === "value") setField(element, text ?? "");
  if (name === "checked") (element as HTMLInputElement).checked = text !== null;
  if (name === "selected") (element as HTMLOptionElement).selected = text !== null;
}

/** Puts a text into a field. */
export function setField(element: Element, text: string): void {
  if (element.localName === "input" && (element as HTMLInputElement).type === "file") return;
  if (/^(?:input|textarea|select)$/.test(element.localName)) (element as HTMLInputElement).value = text;
}

/** By script, because the policy of the page allows no other styles than its own. */
function setStyle(element: Element, text: string): void {
  (element as HTMLElement).style.cssText = withoutAddresses(text);
}

function setSize(element: Element, name: string, text: string): void {
  if (!/^\d{1,5}px$/.test(text) || !(element as HTMLElement).style) return;
  (element as HTMLElement).style.setProperty(name === "rr_width" ? "width" : "height", text);
}

/** What a canvas or a film shows. */
function setPixels(element: Element, data: string): void {
  const { style } = element as HTMLElement;
  style.setProperty("background", `url(${data}) 0 0 / 100% 100% no-repeat`);
  element.removeAttribute("data-left-out");
}

/** Style rules without what they would load. */
export function withoutAddresses(css: string): string {
  return css
    .slice(0, MAX_TEXT)
    .replace(/@import[^;]*;?/gi, "")
    .replace(/(?:url|image-set|src)\(\s*(?!["']?data:image\/)[^)]*\)/gi, "none");
}
