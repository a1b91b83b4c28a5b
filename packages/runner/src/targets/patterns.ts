/** One way to name an element, out of a `targets` text. */
export type Pattern =
  | { readonly kind: "ref"; readonly ref: string; readonly source: string }
  | { readonly kind: "selector"; readonly selector: string; readonly source: string }
  | { readonly kind: "role"; readonly role: string; readonly name: string; readonly source: string }
  | { readonly kind: "text"; readonly text: string; readonly source: string };

const MAX_PATTERNS = 50;
const ROLES =
  "button|link|textbox|input|searchbox|checkbox|radio|combobox|select|tab|menuitem|option|switch|slider|heading|img|image|listitem|row|cell|dialog";
const ROLE_AND_NAME = new RegExp(`^(${ROLES})\\s*(?::|=)?\\s*(["'“])(.+)["'”]$`, "i");
/** Words that people use for a role; the page's words differ. */
const ROLE_WORDS: Readonly<Record<string, string>> = { input: "textbox", select: "combobox", image: "img" };
const SELECTOR =
  /^(?:[#.][\w-]|\[[\w-]+|\*|(?:a|button|input|select|textarea|form|div|span|li|ul|ol|nav|main|header|footer|section|label|p|h[1-6]|img|svg|table|tr|td|th|summary|details|dialog|option|[a-z]+-[a-z-]+)(?:[#.[:>+~]|\s*>|$))/;

/**
 * The patterns in a `targets` text, in the order in which they are tried: the whole text first, then its parts at line
 * breaks, `|` and commas.
 *
 * @example parsePatterns('#login, button "Sign in"').map(({ kind }) => kind) // ["selector", "role"] after the whole
 */
export function parsePatterns(targets: string): Pattern[] {
  const whole = targets.trim();
  const parts = splitOutsideQuotes(whole).map((part) => part.trim());
  const sources = parts.length > 1 && /^(?:[#.[]|css=|e\d+$)|["'|\n]/.test(whole) ? parts : [whole, ...parts];
  return [...new Set(sources)]
    .filter((source) => source !== "")
    .slice(0, MAX_PATTERNS)
    .map(toPattern);
}

function toPattern(source: string): Pattern {
  if (/^e[1-9]\d{0,8}$/.test(source)) return { kind: "ref", ref: source, source };
  const prefixed = /^(css|selector|text|ref)\s*=\s*(.+)$/is.exec(source);
  if (prefixed) {
    const [, kind = "", rest = ""] = prefixed;
    if (/^ref$/i.test(kind)) return { kind: "ref", ref: rest, source };
    return /^text$/i.test(kind)
      ? { kind: "text", text: unquote(rest), source }
      : { kind: "selector", selector: rest, source };
  }
  const named = ROLE_AND_NAME.exec(source);
  if (named) {
    const role = (named[1] as string).toLowerCase();
    return { kind: "role", role: ROLE_WORDS[role] ?? role, name: named[3] as string, source };
  }
  if (SELECTOR.test(source)) return { kind: "selector", selector: source, source };
  return { kind: "text", text: unquote(source), source };
}

function unquote(text: string): string {
  return /^(["'“]).+["'”]$/s.test(text) ? text.slice(1, -1) : text;
}

/** The parts between commas, bars and line breaks that are outside of quotes, brackets and parentheses. */
function splitOutsideQuotes(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  let depth = 0;
  for (const sign of text) {
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"') quote = sign;
    else if (sign === "[" || sign === "(") depth++;
    else if (sign === "]" || sign === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0 && (sign === "," || sign === "|" || sign === "\n")) {
      parts.push(part);
      part = "";
      continue;
    }
    part += sign;
  }
  return [...parts, part];
}
