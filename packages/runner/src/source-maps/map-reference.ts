const NAME = "sourceMappingURL=";
/** What may be after the comment: line ends and the end of a block comment. */
const MAX_TAIL = 2_048;

/**
 * The address in the last comment of a script that names its source map, such as `//# sourceMappingURL=app.js.map`.
 * The time it takes grows with the length of the script and not faster, whatever a page put into it.
 */
export function mapReference(script: string): string | undefined {
  const at = script.lastIndexOf(NAME);
  if (at === -1 || !/\/[/*][#@][ \t]?$/.test(script.slice(Math.max(0, at - 4), at))) return undefined;
  const start = at + NAME.length;
  const end = endOfReference(script, start);
  if (end === start || script.length - end > MAX_TAIL) return undefined;
  const tail = script.slice(end).trim();
  return tail === "" || tail === "*/" ? script.slice(start, end) : undefined;
}

function endOfReference(script: string, start: number): number {
  const end = /[\s*]/g;
  end.lastIndex = start;
  return end.exec(script)?.index ?? script.length;
}
