/** U+2028 and U+2029 are legal in JSON strings, and some readers of lines end a line at them. */
const SEPARATORS = /[\u2028\u2029]/g;

/**
 * JSON text without line breaks, so that it can be a line of a file or of an event stream: JSON allows them between
 * members, where they would let a message add its own lines.
 */
export function asOneLine(json: string): string {
  const joined = json.includes("\n") || json.includes("\r") ? JSON.stringify(JSON.parse(json)) : json;
  if (!joined.includes("\u2028") && !joined.includes("\u2029")) return joined;
  return joined.replace(SEPARATORS, (character) => (character === "\u2028" ? "\\u2028" : "\\u2029"));
}
