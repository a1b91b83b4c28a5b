/** Characters for a token, on the safe side of what models count for code and logs. */
const CHARACTERS_PER_TOKEN = 3;

const DEFAULT_TOKENS = 2_000;

/** The beginning of a text, as much as the budget allows, and a word on what is left out. */
export function fitStart(text: string, maxTokens = DEFAULT_TOKENS, advice = "ask for less"): string {
  const most = maxTokens * CHARACTERS_PER_TOKEN;
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n[${text.length - most} more characters are left out; ${advice}]`;
}

/** The last lines that the budget allows: of a log the newest matter most. */
export function fitEnd(
  lines: readonly string[],
  maxTokens = DEFAULT_TOKENS,
): { lines: string[]; left: number } {
  let room = maxTokens * CHARACTERS_PER_TOKEN;
  let first = lines.length;
  while (first > 0) {
    room -= (lines[first - 1] as string).length + 1;
    if (room < 0) break;
    first--;
  }
  // One line is always there, cut when it must be.
  if (first === lines.length && first > 0)
    return { lines: [fitStart(lines[first - 1] as string, maxTokens)], left: first - 1 };
  return { lines: lines.slice(first), left: first };
}
