/** Whether JSON nests deeper than a bound: then most programs cannot write it again. The text is not parsed. */
export function isDeepJson(json: string, maxDepth: number): boolean {
  // Each level takes a character.
  if (json.length <= maxDepth) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) inString = !inString;
    else if (inString) continue;
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}
