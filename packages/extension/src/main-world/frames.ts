import { codeAt, indexOfText, lastIndexOfText, sliceText } from "@debug-bridge/page/inert";

/** A place in a script, as a frame of a stack names it. */
export interface Place {
  readonly url: string;
  readonly line: string;
  readonly column: string;
}

const OPEN = " (";
const CLOSE = 0x29;
const COLON = 0x3a;

/**
 * The place in one line of a stack, such as `    at save (http://localhost/(shop)/cart.js:12:5)`. Addresses may hold
 * parentheses, but no spaces. `undefined` for frames of the platform and of code that was made at run time.
 */
export function placeOfFrame(frame: string): Place | undefined {
  const inParentheses = codeAt(frame, frame.length - 1) === CLOSE;
  const end = inParentheses ? frame.length - 1 : frame.length;
  const start = lastIndexOfText(frame, inParentheses ? OPEN : " ") + (inParentheses ? OPEN.length : 1);
  const column = startOfNumber(frame, end);
  const line = column === -1 ? -1 : startOfNumber(frame, column - 1);
  if (line === -1 || line - 1 <= start) return undefined;
  const url = sliceText(frame, start, line - 1);
  if (indexOfText(url, " ") !== -1) return undefined;
  return { url, line: sliceText(frame, line, column - 1), column: sliceText(frame, column, end) };
}

/** Where the number begins that ends before `end`, when there is one and a colon before it; else -1. */
function startOfNumber(text: string, end: number): number {
  let at = end;
  while (at > 0 && isDigit(codeAt(text, at - 1))) at--;
  return at < end && codeAt(text, at - 1) === COLON ? at : -1;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** A stack without the frames of a script, and with at most `limit` frames. */
export function withoutFrames(stack: string, url: string, limit: number): string {
  let kept = "";
  let frames = 0;
  for (let from = 0; from <= stack.length; ) {
    const found = indexOfText(stack, "\n", from);
    const end = found === -1 ? stack.length : found;
    const line = sliceText(stack, from, end);
    if (!isFrame(line)) kept += from === 0 ? line : `\n${line}`;
    else if (placeOfFrame(line)?.url !== url && frames++ < limit) kept += `\n${line}`;
    from = end + 1;
  }
  return kept;
}

/** The first frame of a stack that names a place. */
export function firstPlace(stack: string): Place | undefined {
  for (let from = 0; from < stack.length; ) {
    const found = indexOfText(stack, "\n", from);
    const end = found === -1 ? stack.length : found;
    const line = sliceText(stack, from, end);
    const place = isFrame(line) ? placeOfFrame(line) : undefined;
    if (place) return place;
    from = end + 1;
  }
  return undefined;
}

const isFrame = (line: string): boolean => indexOfText(line, "    at ") === 0;
