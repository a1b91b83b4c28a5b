import { documentIn, frameOf, isFrame, type Root } from "./dom.js";

/** Steps into a shadow root or a frame. */
const STEP = " >>> ";
const STABLE_ID = /^[a-zA-Z][\w-]*$/;

/**
 * Makes CSS paths that select exactly one element now. Short where an id allows it, by position where not. One maker
 * serves one moment: it remembers paths of parents, so that the rows of a table do not each walk to the top.
 */
export class SelectorMaker {
  private readonly paths = new Map<Element, string>();
  private readonly positions = new Map<Element, Map<Element, string>>();

  of(element: Element): string {
    const root = element.getRootNode() as Root;
    const path = this.pathIn(element, root);
    if (root.nodeType === 11) {
      const { host } = root as ShadowRoot;
      return host ? `${this.of(host)}${STEP}${path}` : path;
    }
    const frame = root.nodeType === 9 ? frameOf(root as Document) : null;
    return frame ? `${this.of(frame)}${STEP}${path}` : path;
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

  /** `tag:nth-of-type(n)`; siblings are counted once per parent. */
  private position(element: Element): string {
    const parent = element.parentNode as ParentNode | null;
    if (!parent) return cssName(element);
    const key = parent as Element;
    let names = this.positions.get(key);
    if (!names) {
      names = new Map();
      const counts = new Map<string, number>();
      for (const child of parent.children) {
        const nth = (counts.get(child.localName) ?? 0) + 1;
        counts.set(child.localName, nth);
        names.set(child, `${cssName(child)}:nth-of-type(${nth})`);
      }
      this.positions.set(key, names);
    }
    return names.get(element) ?? cssName(element);
  }
}

function cssName(element: Element): string {
  return STABLE_ID.test(element.localName) ? element.localName : CSS.escape(element.localName);
}

/**
 * Everything that a selector matches; ` >>> ` steps into the shadow root or the frame of what stands before it.
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
