import { stackOf } from "../app-data.js";

/** Where in the source something was called. */
export interface Location {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

const FRAME = /(?:at |@|\()([a-z][a-z+.-]*:\/\/[^\s()]+?):(\d+):(\d+)\)?$/i;

/**
 * The place in a stack from which a hooked function was called: the frame after the proxy's trap, whose name survives
 * minification. File names would not do, since app and engine are often bundled together.
 */
export function callerOf(error: Error): Location | undefined {
  const frames = stackOf(error)
    .split("\n")
    .flatMap((line) => {
      const match = FRAME.exec(line.trim());
      return match
        ? [{ text: line, url: match[1] as string, line: Number(match[2]), column: Number(match[3]) }]
        : [];
    });
  const trap = frames.findLastIndex(({ text }) => /\bObject\.apply\b|\bapply@/.test(text));
  const caller = frames[trap + 1];
  return caller && { url: caller.url, line: caller.line, column: caller.column };
}
