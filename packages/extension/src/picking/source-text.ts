const MAX_LENGTH = 300;
const FRAME = /(?:https?|file|webpack[\w-]*):\/\/[^\s)]+/g;

/**
 * What an element says about its source, as one line. It says the name of its component on the first line, then a path with or
 * without a line number, or the stack at which a framework made it. A stack names the places in what the browser runs, so
 * only its file is kept.
 */
export function sourceText(source: unknown): string | undefined {
  if (typeof source !== "string") return undefined;
  const place = source.slice(source.indexOf("\n") + 1);
  if (!place.includes("\n")) return place.slice(0, MAX_LENGTH) || undefined;
  for (const [address] of place.matchAll(FRAME)) {
    if (/node_modules|\/@(?:vite|debug-bridge)\/|\/@react-refresh|\/\.vite\//.test(address)) continue;
    const path = address
      .replace(/(?::\d+){1,2}$/, "")
      .replace(/[?#].*$/, "")
      .replace(/^[\w-]+:\/\/[^/]*\//, "");
    if (path !== "") return path.slice(0, MAX_LENGTH);
  }
  return undefined;
}
