import { HOLE } from "./template-signature.js";

/** Markup as it was written: comments stand for its expressions. */
export interface Written {
  readonly content: DocumentFragment;
}

/** The literal that an element is from, and which of its elements it is; no literal when several could have made it. */
export interface Covered<Literal> {
  readonly literal: Literal | undefined;
  readonly nth: number;
}

/** What code changes at elements that it has made. */
const CHANGING = /^(?:class|style|hidden|disabled|open|value|checked|tabindex|aria-.*)$/;

export const elementsOf = (body: Element): Element[] => [body, ...body.querySelectorAll("*")];

/** Finds the children of an element, and what is in them, in literals. A literal may be there several times, as the rows of a list are. */
export function coverOf<Literal extends Written>(
  parent: Element,
  literals: readonly Literal[],
): Map<Element, Covered<Literal>> {
  const covered = new Map<Element, Covered<Literal>>();
  const children = [...parent.children];
  for (const literal of literals) {
    const roots = [...literal.content.children];
    // What begins with an expression, or is nothing but one, could be anything.
    if (roots.length === 0 || hasHole(literal.content)) continue;
    const order = new Map([...literal.content.querySelectorAll("*")].map((each, nth) => [each, nth]));
    for (let from = 0; from + roots.length <= children.length; from++) {
      const pairs = pairsOf(roots, children.slice(from, from + roots.length));
      for (const [written, live] of pairs ?? []) {
        const known = covered.has(live);
        covered.set(live, { literal: known ? undefined : literal, nth: order.get(written) ?? 0 });
      }
    }
  }
  return covered;
}

type Pair = readonly [written: Element, live: Element];

/** Pairs of elements if all of them are alike, and everything in them. */
function pairsOf(written: readonly Element[], live: readonly Element[]): Pair[] | undefined {
  const pairs: Pair[] = [];
  for (const [i, each] of written.entries()) {
    const other = live[i];
    const inner = other && isAlike(each, other) ? pairsInside(each, other) : undefined;
    if (!other || !inner) return undefined;
    pairs.push([each, other], ...inner);
  }
  return pairs;
}

function pairsInside(written: Element, live: Element): Pair[] | undefined {
  const own = [...written.children];
  const others = [...live.children];
  if (own.length === 0) return [];
  if (!hasHole(written)) return own.length === others.length ? pairsOf(own, others) : undefined;
  // Where an expression is, there may be any number of elements.
  const nodes = [...written.childNodes];
  const before = own.filter((each) => nodes.indexOf(each) < nodes.findIndex(isHole));
  const after = own.filter((each) => nodes.indexOf(each) > nodes.findLastIndex(isHole));
  if (others.length < own.length) return undefined;
  const first = pairsOf(before, others.slice(0, before.length));
  const last = pairsOf(after, others.slice(others.length - after.length));
  return first && last && [...first, ...last];
}

function isAlike(written: Element, live: Element): boolean {
  if (written.localName !== live.localName) return false;
  for (const { name, value } of written.attributes)
    if (!CHANGING.test(name) && live.getAttribute(name) !== value) return false;
  return hasTexts(written, live);
}

/** Whether the texts around expressions are there, in their order. What was written without a text may have got one. */
function hasTexts(written: Element, live: Element): boolean {
  const parts = [...written.childNodes]
    .filter((node) => node.nodeType === 3)
    .map(({ nodeValue }) => squashed(nodeValue));
  const text = squashed(
    [...live.childNodes].map((node) => (node.nodeType === 3 ? node.nodeValue : " ")).join(""),
  );
  if (!hasHole(written) && written.children.length === 0)
    return parts.join("") === "" || parts.join("") === text;
  let from = 0;
  for (const part of parts.filter(Boolean)) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

const isHole = (node: Node): boolean => node.nodeType === 8 && (node as Comment).data.startsWith(HOLE);
const hasHole = (node: Node): boolean => [...node.childNodes].some(isHole);
const squashed = (text: string | null): string => (text ?? "").replace(/\s+/g, " ").trim();
