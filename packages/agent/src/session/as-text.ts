/** The text of a value that should be text. A recording may contain anything, including values that are not text. */
export function asText(value: unknown, otherwise = ""): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : otherwise;
}
