/**
 * Whether a text matches a pattern of `Fetch.enable`: `*` is any text, `?` one character, `\\` makes the next one
 * literal. Patterns come from clients, so the time is bounded by the product of both lengths.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const parts = tokens(pattern);
  let at = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const token = parts[part];
    if (token === ANY) {
      star = part++;
      resume = at;
    } else if (token !== undefined && (token === ONE || token === text[at])) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++resume;
    } else return false;
  }
  while (parts[part] === ANY) part++;
  return part === parts.length;
}

const ANY = Symbol("any text");
const ONE = Symbol("one character");

function tokens(pattern: string): (string | symbol)[] {
  const found: (string | symbol)[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] as string;
    if (character === "\\" && i + 1 < pattern.length) found.push(pattern[++i] as string);
    else if (character === "*") found.push(ANY);
    else if (character === "?") found.push(ONE);
    else found.push(character);
  }
  return found;
}
