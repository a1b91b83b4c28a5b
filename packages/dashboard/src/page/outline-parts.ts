/** A part of a line: text, or an element that can be used, with its ref. */
export interface OutlinePart {
  readonly text: string;
  readonly ref?: string;
}

/** A ref at the beginning of a line, or behind a bracket in a sentence, before the role of its element. */
const REF = /(^\s*|\[)((?:f\d+)*e\d+)(?= [a-z])/g;

/**
 * The parts of a line of an outline.
 *
 * @example outlineParts('e3 button "Buy"') // [{ text: "e3", ref: "e3" }, { text: ' button "Buy"' }]
 */
export function outlineParts(line: string): OutlinePart[] {
  const parts: OutlinePart[] = [];
  let from = 0;
  for (const match of line.matchAll(REF)) {
    const [, before = "", ref = ""] = match;
    const at = match.index + before.length;
    if (at > from) parts.push({ text: line.slice(from, at) });
    parts.push({ text: ref, ref });
    from = at + ref.length;
  }
  if (from < line.length) parts.push({ text: line.slice(from) });
  return parts;
}
