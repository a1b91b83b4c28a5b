/** Text of a value that should be text: what a recording says may be anything, also what has no text of its own. */
export function asText(value: unknown, otherwise = ""): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : otherwise;
}
