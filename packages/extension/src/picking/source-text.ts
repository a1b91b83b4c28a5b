const MAX_LENGTH = 300;
const FRAME = /(?:https?|file|webpack[\w-]*):\/\/[^\s)]+/g;

/**
 * What an element says about its source, as one line: a path with or without a line number, or the stack at which a
 * framework made it. A stack names the places in what the browser runs, so only its file is kept.
 */
export function sourceText(said: unknown): string | undefined {
  if (typeof said !== "string" || said === "") return undefined;
  if (!said.includes("\n")) return said.slice(0, MAX_LENGTH);
  for (const [address] of said.matchAll(FRAME)) {
    if (/node_modules|\/@vite\/|\/@react-refresh|\/\.vite\//.test(address)) continue;
    const path = address
      .replace(/(?::\d+){1,2}$/, "")
      .replace(/[?#].*$/, "")
      .replace(/^[\w-]+:\/\/[^/]*\//, "");
    if (path !== "") return path.slice(0, MAX_LENGTH);
  }
  return undefined;
}
