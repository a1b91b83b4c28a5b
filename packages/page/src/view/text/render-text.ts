import {
  type AnswerPage,
  BridgeError,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
  truncate,
} from "@debug-bridge/protocol";
import { allLines, overviewLines, type TextBlock, type TextLine } from "./outline/fold.js";

/** Numbers for elements, so that a cursor can name a place that survives other changes of the page. */
export interface Anchors {
  anchorOf(element: object): number;
}

export interface RenderedText {
  readonly text: string;
  readonly page: AnswerPage;
}

/** Where an answer continues: at a line, after so many characters of it. */
export interface Cursor {
  readonly at: number;
  readonly offset: number;
}

/** @example parseCursor("m12.40") // { at: 12, offset: 40 } */
export function parseCursor(text: string): Cursor {
  const [, at, offset = "0"] = /^m(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (at !== undefined) return { at: Number(at), offset: Number(offset) };
  throw new BridgeError(
    "invalid_message",
    `"${truncate(text, 40)}" is not a cursor; take nextCursor of the last answer`,
    { field: "cursor" },
  );
}

export function formatCursor({ at, offset }: Cursor): string {
  return offset > 0 ? `m${at}.${offset}` : `m${at}`;
}

/**
 * Renders a page within a budget. What fits is shown whole. If it does not fit, the first answer is an overview, in which
 * long runs of like rows and long texts are cut, each with a cursor. From a cursor on, everything is shown. So the first
 * answer and those of each `nextCursor` together have every line, in order.
 */
export function renderText(
  block: TextBlock,
  anchors: Anchors,
  options: {
    maxTokens?: number | undefined;
    cursor?: string | undefined;
    total: number;
    /** What is shown instead of a block that does not fit; the block itself when left out. */
    overview?: (() => TextBlock) | undefined;
    /** The block is known not to be all there is. */
    isCut?: boolean;
  },
): RenderedText {
  const { cursor, total, maxTokens = DEFAULT_MAX_TOKENS, overview, isCut } = options;
  let lines = allLines(block);
  let offset = 0;
  if (cursor !== undefined) {
    const from = parseCursor(cursor);
    const start = lines.findIndex(({ element }) => anchors.anchorOf(element) === from.at);
    if (start < 0) lost(cursor);
    offset = from.offset;
    lines = lines.slice(start);
  } else if (isCut || sum(lines) > maxTokens) lines = overviewLines(overview?.() ?? block);

  const cursorAt = ({ element }: TextLine, after = 0): string =>
    formatCursor({ at: anchors.anchorOf(element), offset: after });
  const shown: string[] = [];
  let next: string | undefined;
  let spent = 0;
  for (const line of lines) {
    const text = offset > 0 ? line.text.slice(offset) : line.text;
    const tokens = offset > 0 ? estimateTokens(text) + 1 : line.tokens;
    if (spent + tokens > maxTokens) {
      if (shown.length === 0) {
        const part = fitting(text, maxTokens);
        shown.push(part);
        next ??= cursorAt(line, offset + part.length);
      } else next ??= cursorAt(line);
      break;
    }
    offset = 0;
    spent += tokens;
    shown.push(line.isCut ? `${text}; cursor ${cursorAt(line)}` : text);
    if (line.isCut) next ??= cursorAt(line);
  }
  const text = shown.join("\n");
  return { text, page: { tokens: estimateTokens(text), ...(next ? { nextCursor: next } : {}), total } };
}

function lost(cursor: string): never {
  throw new BridgeError(
    "cursor_expired",
    `the place of cursor "${cursor}" is no longer on the page; observe again without a cursor`,
  );
}

const sum = (lines: readonly TextLine[]): number => lines.reduce((total, line) => total + line.tokens, 0);

/** As much of a text as the budget holds, at least one character; up to the end of a word, if it has one. */
function fitting(text: string, maxTokens: number): string {
  let end = Math.min(text.length, maxTokens * 4);
  while (end > 1 && estimateTokens(text.slice(0, end)) + 1 > maxTokens) end = Math.floor(end * 0.9);
  const space = text.lastIndexOf(" ", end - 1) + 1;
  if (space > 0) return text.slice(0, space);
  // Not between the halves of a character.
  return text.slice(0, /[\ud800-\udbff]/.test(text[end - 1] ?? "") ? end + 1 : end);
}
