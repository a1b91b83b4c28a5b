const MAX_PATTERN = 200;
/** The length of text that a page gives to a pattern at once: how often a part without an end can repeat in it. */
const TEXT_LENGTH = 300;
/** In how many ways the repeats of a pattern may be combined: two without an end, or more with small ends. */
const MAX_COMBINATIONS = TEXT_LENGTH * TEXT_LENGTH;

/**
 * Says why a regular expression may not run in a page, where nothing can stop a match that takes too long. A group that
 * repeats must not hold repeats or choices, nothing may refer back, and the repeats must not combine in too many ways:
 * then a match in a short text takes a bounded time.
 *
 * @example whyPatternIsRefused("(a+)+$") // "a repeated group holds a repeat or a choice"
 */
export function whyPatternIsRefused(source: string): string | undefined {
  if (source.length > MAX_PATTERN) return `it is longer than ${MAX_PATTERN} characters`;
  try {
    new RegExp(source, "i");
  } catch (thrown) {
    return (thrown as Error).message;
  }
  // Characters that mean themselves, and classes of characters, are one `x`.
  if (/\\(?:[1-9]|k<)/.test(source)) return "it refers back to a group";
  const plain = source.replace(/\\./gs, "x").replace(/\[[^\]]{0,200}\]/g, "x");
  if (combinationsOf(plain) > MAX_COMBINATIONS)
    return "its repeats combine in too many ways; use fewer, or give them an end, such as \\d{1,9}";
  return holdsNestedRepeat(plain) ? "a repeated group holds a repeat or a choice" : undefined;
}

/** In how many ways the repeats of a pattern can share a text. */
function combinationsOf(plain: string): number {
  let combinations = 1;
  for (const [, range = "{,}"] of plain.matchAll(/[*+]|(\{\d*,\d*\}|\{\d+\})/g)) {
    const end = range.slice(1, -1).split(",").at(-1);
    combinations *= end === "" ? TEXT_LENGTH : Math.min(Math.max(Number(end), 1), TEXT_LENGTH);
  }
  return combinations;
}

const OPEN = "\u0001";

/** Takes the innermost groups away one after the other, and leaves a mark for those that repeat or choose inside. */
function holdsNestedRepeat(plain: string): boolean {
  let rest = plain.replaceAll(OPEN, "x");
  for (;;) {
    const [group, inside = ""] = /\((?:\?(?:[:=!]|<[=!]|<\w+>|[a-z-]+:))?([^()]*)\)/.exec(rest) ?? [];
    if (group === undefined) return false;
    const isOpen = /[*+{|?]/.test(inside) || inside.includes(OPEN);
    rest = rest.replace(group, () => (isOpen ? OPEN : "x"));
    if (["*", "+", "{"].some((sign) => rest.includes(OPEN + sign))) return true;
  }
}
