/** How long a pattern may be, and how many parts of it may repeat without an end. */
const MAX_PATTERN = 200;
const MAX_REPEATS = 3;

/**
 * Says why a regular expression may not run in a page, where nothing can stop a match that takes too long. A group that
 * repeats must not hold repeats or choices, nothing may refer back, and few parts may repeat without an end: then a match
 * in a short text takes a bounded time.
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
  const repeats = plain.match(/[*+]|\{\d*,\d*\}|\{\d{2,}\}/g) ?? [];
  if (repeats.length > MAX_REPEATS) return `more than ${MAX_REPEATS} parts of it repeat`;
  return holdsNestedRepeat(plain) ? "a repeated group holds a repeat or a choice" : undefined;
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
