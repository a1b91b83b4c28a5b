import { documentIn, frameOf, isFrame, type Root } from "./dom.js";

/** Steps into a shadow root or a frame. */
const STEP = " >>> ";
/** The position of an element further than this from a sibling with a known position is cached for later siblings. */
const FAR = 4;
const STABLE_ID = /^[a-zA-Z][\w-]*$/;

/**
 * Makes CSS paths that select exactly one element now. Short where an id allows it, by position where not. One maker
 * serves one moment: it remembers paths of parents, so that the rows of a table do not each walk to the top.
 */
export class SelectorMaker {
  private readonly prefixes = new Map<Root, string>();
  private readonly paths = new Map<Element, string>();
  private readonly places = new Map<Element, number>();

  of(element: Element): string {
    const root = element.getRootNode() as Root;
    // The path of the element itself is needed once; those of its parents are needed for every sibling.
    return this.prefixOf(root) + (this.paths.get(element) ?? this.build(element, root));
  }

  private prefixOf(root: Root): string {
    let prefix = this.prefixes.get(root);
    if (prefix === undefined) {
      const outer =
        root.nodeType === 11
          ? (root as ShadowRoot).host
          : root.nodeType === 9
            ? frameOf(root as Document)
            : null;
      prefix = outer ? `${this.of(outer)}${STEP}` : "";
      this.prefixes.set(root, prefix);
    }
    return prefix;
  }

  private pathIn(element: Element, root: Root): string {
    const known = this.paths.get(element);
    if (known !== undefined) return known;
    const path = this.build(element, root);
    this.paths.set(element, path);
    return path;
  }

  private build(element: Element, root: Root): string {
    const { id, localName } = element;
    if (id && STABLE_ID.test(id) && root.querySelectorAll?.(`#${id}`).length === 1) return `#${id}`;
    const parent = element.parentElement;
    if (!parent) return localName === "html" ? "html" : this.position(element);
    if (localName === "body" && parent.localName === "html") return "body";
    return `${this.pathIn(parent, root)} > ${this.position(element)}`;
  }

  private position(element: Element): string {
    return `${cssName(element)}:nth-child(${this.nth(element)})`;
  }

  /** Which among its siblings it is, counted from the nearest one before it that is known. */
  private nth(element: Element): number {
    let steps = 1;
    let known: number | undefined;
    for (let at = element.previousElementSibling; at; at = at.previousElementSibling) {
      known = this.places.get(at);
      if (known !== undefined) break;
      steps++;
    }
    const nth = steps + (known ?? 0);
    if (steps > FAR) this.places.set(element, nth);
    return nth;
  }
}

const names = new Map<string, string>();

function cssName({ localName }: Element): string {
  let name = names.get(localName);
  if (name === undefined) {
    name = CSS.escape(localName);
    names.set(localName, name);
  }
  return name;
}

/**
 * Everything that a selector matches; ` >>> ` steps into the shadow root or the frame of what comes before it.
 * Throws a SyntaxError for what is no selector.
 *
 * @example queryDeep(document, "my-card >>> button")
 */
export function queryDeep(root: Root, selector: string): Element[] {
  const [first = "", ...rest] = splitSteps(selector);
  let found: Element[] = [...root.querySelectorAll(first)];
  for (const part of rest) {
    found = found.flatMap((element) => {
      const inner = element.shadowRoot ?? (isFrame(element) ? documentIn(element) : null);
      return inner ? [...inner.querySelectorAll(part)] : [];
    });
  }
  return found;
}

/** The parts between `>>>`, trimmed. What is inside quotes or brackets is not a step. */
export function splitSteps(selector: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  for (let i = 0; i < selector.length; i++) {
    const char = selector[i] as string;
    if (char === "\\") {
      part += char + (selector[++i] ?? "");
      continue;
    }
    if (quote) {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (selector.startsWith(">>>", i)) {
      parts.push(part.trim());
      part = "";
      i += 2;
      continue;
    }
    part += char;
  }
  parts.push(part.trim());
  return parts;
}
