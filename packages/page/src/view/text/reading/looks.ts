import { type Pseudo, type PseudoContents, pseudoStyle } from "../outline/drawn.js";
import { isOff } from "./screen.js";

/** What an element looks like: the tag, where it is, then one value for each of `NAMES`. */
type Look = readonly string[];

const NAMES = [
  "place",
  "color",
  "font",
  "marker",
  "background",
  "border",
  "shadow",
  "outline",
  "effect",
  "picture",
  "drawn",
];
const DRAWN_BY_BROWSER =
  /^(?:img|svg|canvas|video|input|select|textarea|progress|meter|iframe|embed|object|hr)$/;
/** The browser draws these itself, whatever their border and background, unless their appearance is taken from them. */
const TOGGLE = "input[type=checkbox],input[type=radio]";
/** Rows and columns, whose borders are drawn only where those of the table collapse. */
const TABLE_PART = /^table-(?:[rhf]|co)/;
/** Text this far behind the start of an element is compared as text only. */
const MAX_NODES = 30;

/** When so many that look different can be seen, others are taken to be seen as well: each question takes its time. */
const MAX_ASKED = 20;

const numbers = new WeakMap<Element, number>();
let last = 0;

/** Elements have numbers here, so that what is remembered does not keep a part of the app alive. */
function numberOf(element: Element): number {
  const number = numbers.get(element) ?? ++last;
  numbers.set(element, number);
  return number;
}

/** What can be seen of the elements on the screen, apart from what they say. */
export class Looks {
  private readonly seen = new Map<number, Look>();
  private elements: WeakRef<Element>[] = [];

  add(
    element: Element,
    style: CSSStyleDeclaration,
    contents: PseudoContents,
    box = element.getBoundingClientRect(),
  ): void {
    const number = numberOf(element);
    // The text of a label is read twice.
    const look = this.seen.has(number) ? undefined : lookOf(element, style, contents, box);
    if (!look) return;
    this.seen.set(number, look);
    this.elements.push(new WeakRef(element));
  }

  /** How these differ from earlier ones: elements that look different, that came or went, and how many only moved. */
  since(before: Looks): LookChanges {
    const restyled: LookChanges["restyled"] = [];
    const came: Element[] = [];
    const moved: Element[] = [];
    let uncovered = 0;
    const gone = new Map<string, number>();
    for (const [number, look] of before.seen) if (!this.seen.has(number)) count(gone, look.join("\n"), 1);
    for (const weak of this.elements) {
      const element = weak.deref();
      const now = element && this.seen.get(numberOf(element));
      if (!element || !now) continue;
      const was = before.seen.get(numberOf(element));
      if (!was) {
        // The same, made again.
        if (!count(gone, now.join("\n"), -1)) came.push(element);
        continue;
      }
      const names = NAMES.filter((name, i) => isDifferent(name, was[i + 1], now[i + 1]));
      if (names.length === 0) continue;
      if (names.length === 1 && names[0] === "place") moved.push(element);
      else if (uncovered >= MAX_ASKED || !isCovered(element)) {
        uncovered++;
        restyled.push({ element, names: names.filter((name) => name !== "place") });
      }
    }
    const went = [...gone].flatMap(([look, times]) =>
      Array<string>(times).fill(look.split("\n")[0] as string),
    );
    const countMoved = (): number => {
      const shown = moved.findIndex((element) => !isCovered(element));
      return shown < 0 ? 0 : moved.length - shown;
    };
    return { restyled, came, went, countMoved };
  }
}

/** Text that comes or goes brings its color and font with it. */
function isDifferent(name: string, was: string | undefined, now: string | undefined): boolean {
  return was !== now && !((name === "color" || name === "font") && (was === "" || now === ""));
}

export interface LookChanges {
  readonly restyled: { readonly element: Element; readonly names: readonly string[] }[];
  /** Elements that can be seen now. */
  readonly came: readonly Element[];
  /** Tags of those that can no longer be seen. */
  readonly went: readonly string[];
  /** How many others only moved. */
  readonly countMoved: () => number;
}

/** Adds to a count; false when there is nothing to take from. */
function count(counts: Map<string, number>, key: string, by: 1 | -1): boolean {
  const now = (counts.get(key) ?? 0) + by;
  if (now < 0) return false;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
  return true;
}

function lookOf(
  element: Element,
  style: CSSStyleDeclaration,
  contents: PseudoContents,
  box: DOMRect,
): Look | undefined {
  if (style.visibility !== "visible" || isOff(element, box)) return undefined;
  const text = firstText(element);
  const isToggle = element.matches(TOGGLE);
  const isNative = isToggle && style.appearance !== "none";
  const { display } = style;
  const isFramed = !isNative && !(TABLE_PART.test(display) && style.borderCollapse === "separate");
  const borderWidth = isFramed ? style.borderWidth : "0px";
  const border = borderWidth === "0px" ? "" : `${borderWidth} ${style.borderStyle} ${style.borderColor}`;
  const background = isNative ? "" : backgroundOf(style);
  const shadow = unless(style.boxShadow, "none");
  const { outlineStyle } = style;
  const outline =
    outlineStyle === "none" ? "" : `${outlineStyle} ${style.outlineWidth} ${style.outlineColor}`;
  const isWritten = text || isWrittenIn(element);
  const line = style.textDecorationLine;
  // Drawn through all the text inside, also where the element has none of its own.
  const isThrough = line !== "none" && !isWritten && element.textContent?.trim();
  const effect = effectOf(element, style) + (isThrough ? line : "");
  const name = element.localName;
  // Elements that the browser draws have nothing drawn before or after them.
  const isSealed = DRAWN_BY_BROWSER.test(name) && name !== "hr" && !isToggle;
  const drawn = isSealed
    ? ""
    : drawnBy(element, "::before", contents) + drawnBy(element, "::after", contents);
  const parts = [background, border, shadow, outline, effect, pictureOf(element, style), drawn];
  const isBox = box.width > 0 && box.height > 0 && parts.some(Boolean);
  // The marker of a list item is drawn beside its box.
  const marker = display === "list-item" ? unless(style.listStyleType, "none") : "";
  if (!text && !isBox && !marker) return undefined;
  const shape = isBox ? placeOf(box) : marker && placeOf(new DOMRect(box.x, box.y));
  const place = `${shape} ${text ? placeOf(boxOf(text)) : ""}`;
  const color = isWritten ? style.color : "";
  const font = isWritten ? `${style.font} ${line}` : "";
  return [name, place, color, font, marker, ...(isBox ? parts : parts.map(() => ""))];
}

function firstText(element: Element): Text | undefined {
  let nodes = 0;
  for (let node = element.firstChild; node && nodes < MAX_NODES; node = node.nextSibling, nodes++)
    if (node.nodeType === 3 && (node as Text).data.trim() !== "") return node as Text;
  return undefined;
}

/** Whether a field shows text. */
function isWrittenIn(element: Element): boolean {
  const { value, placeholder, type } = element as HTMLInputElement;
  return (
    Boolean(value || placeholder) &&
    /^(?:input|select|textarea)$/.test(element.localName) &&
    !/^(?:checkbox|radio|range|color|image|hidden)$/.test(type)
  );
}

function boxOf(text: Text): DOMRect {
  const range = text.ownerDocument.createRange();
  range.selectNode(text);
  return range.getBoundingClientRect();
}

const unless = (value: string, none: string): string => (value === none ? "" : value);

// Each property of a style that is read takes a microsecond: only those that matter are.
function backgroundOf(style: CSSStyleDeclaration): string {
  const { backgroundColor, backgroundImage } = style;
  const image = backgroundImage === "none" ? "" : `${backgroundImage} ${style.backgroundPosition}`;
  return unless(backgroundColor, "rgba(0, 0, 0, 0)") + image;
}

/** What changes everything inside as well. */
function effectOf(element: Element, style: CSSStyleDeclaration): string {
  const { opacity, filter, transform, clipPath, zIndex } = style;
  // Text in a line is not transformed, whatever its style says.
  const isText =
    transform !== "none" &&
    style.display === "inline" &&
    !isSvg(element) &&
    !DRAWN_BY_BROWSER.test(element.localName);
  return (
    unless(opacity, "1") +
    unless(filter, "none") +
    (isText ? "" : unless(transform, "none")) +
    unless(clipPath, "none") +
    unless(zIndex, "auto")
  );
}

function pictureOf(element: Element, style: CSSStyleDeclaration): string {
  if (element.localName === "img") {
    const { currentSrc, complete, naturalWidth } = element as HTMLImageElement;
    return `${currentSrc} ${complete} ${naturalWidth}`;
  }
  if (isSvg(element)) return `${style.fill} ${style.stroke} ${element.getAttribute("d") ?? ""}`;
  return DRAWN_BY_BROWSER.test(element.localName) ? "yes" : "";
}

function isSvg({ namespaceURI }: Element): boolean {
  return namespaceURI?.endsWith("svg") === true;
}

function drawnBy(element: Element, pseudo: Pseudo, contents: PseudoContents): string {
  const content = contents.of(element, pseudo);
  if (content === "none" || content === "normal") return "";
  const style = pseudoStyle(element, pseudo);
  return `${content} ${style.color} ${backgroundOf(style)} ${style.width} ${style.height} ${style.opacity}`;
}

function placeOf({ x, y, width, height }: DOMRect): string {
  return [x, y, width, height].map((each) => Math.round(each * 2)).join();
}

/** Whether something else is drawn over the middle of it. */
function isCovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  const root = element.getRootNode() as Document | ShadowRoot;
  const hit = root.elementFromPoint(x + width / 2, y + height / 2);
  return hit !== null && !hit.contains(element) && !element.contains(hit) && !hit.shadowRoot;
}
