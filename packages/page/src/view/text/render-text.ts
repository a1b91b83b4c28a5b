import {
  type AnswerPage,
  BridgeError,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
  truncate,
} from "@debug-bridge/protocol";
import { allLines, type Fold, foldedLines, type TextBlock, type TextLine } from "./fold.js";

/** Numbers for elements, so that a cursor can name a place that survives other changes of the page. */
export interface Anchors {
  anchorOf(element: object): number;
}

export interface RenderedText {
  readonly text: string;
  readonly page: AnswerPage;
}

/** Where an answer continues: in the page's own order, or in the rows that were folded. */
export type Cursor = { kind: "page"; at: number } | { kind: "fold"; group: number; at: number };

/** @example parseCursor("f12.40") // { kind: "fold", group: 12, at: 40 } */
export function parseCursor(text: string): Cursor {
  const page = /^m(\d{1,9})$/.exec(text);
  if (page) return { kind: "page", at: Number(page[1]) };
  const fold = /^f(\d{1,9})\.(\d{1,9})$/.exec(text);
  if (fold) return { kind: "fold", group: Number(fold[1]), at: Number(fold[2]) };
  throw new BridgeError(
    "invalid_message",
    `"${truncate(text, 40)}" is not a cursor; take nextCursor of the last answer`,
    {
      field: "cursor",
    },
  );
}

export function formatCursor(cursor: Cursor): string {
  return cursor.kind === "page" ? `m${cursor.at}` : `f${cursor.group}.${cursor.at}`;
}

/**
 * Renders a page within a budget. What fits is shown whole; else long runs of like rows are folded, and what still
 * does not fit is reached by `nextCursor`. Following `nextCursor` to its end visits every line.
 */
export function renderText(
  block: TextBlock,
  anchors: Anchors,
  options: { maxTokens?: number | undefined; cursor?: string | undefined; total: number },
): RenderedText {
  const maxTokens = options.maxTokens ?? DEFAULT_MAX_TOKENS;
  const whole = allLines(block);
  const fits = sum(whole) <= maxTokens;
  const lines = fits ? whole : foldedLines(block);
  const folds = lines.flatMap((line) => (line.fold ? [line.fold] : []));
  const cursor = options.cursor === undefined ? undefined : parseCursor(options.cursor);
  const foldCursor = (fold: Fold, line: TextLine): string =>
    formatCursor({ kind: "fold", group: anchors.anchorOf(fold.group), at: anchors.anchorOf(line.element) });
  const opening = (fold: Fold | undefined): string | undefined => {
    const first = fold && allLines({ element: fold.group, line: undefined, children: fold.rest })[0];
    return fold && first && foldCursor(fold, first);
  };

  const write = (
    from: readonly TextLine[],
    next: (line: TextLine) => string,
    after: string | undefined,
  ): RenderedText => {
    const { shown, rest } = fitLines(from, maxTokens);
    const text = shown
      .map((line) => (line.fold ? foldText(line.fold, opening(line.fold) ?? "") : line.text))
      .join("\n");
    const nextCursor = rest ? next(rest) : after;
    return {
      text,
      page: { tokens: estimateTokens(text), ...(nextCursor ? { nextCursor } : {}), total: options.total },
    };
  };

  if (cursor?.kind === "fold") {
    const index = folds.findIndex(
      (fold) => anchors.anchorOf(fold.group) === cursor.group && has(fold, cursor.at, anchors),
    );
    const fold = folds[index] ?? lost(options.cursor);
    const rows = allLines({ element: fold.group, line: undefined, children: fold.rest });
    const start = rows.findIndex((line) => anchors.anchorOf(line.element) === cursor.at);
    return write(rows.slice(start), (line) => foldCursor(fold, line), opening(folds[index + 1]));
  }
  const start = cursor ? lines.findIndex((line) => anchors.anchorOf(line.element) === cursor.at) : 0;
  if (start < 0) lost(options.cursor);
  return write(
    lines.slice(start),
    (line) => formatCursor({ kind: "page", at: anchors.anchorOf(line.element) }),
    opening(folds[0]),
  );
}

function has(fold: Fold, at: number, anchors: Anchors): boolean {
  return allLines({ element: fold.group, line: undefined, children: fold.rest }).some(
    (line) => anchors.anchorOf(line.element) === at,
  );
}

function lost(cursor: string | undefined): never {
  throw new BridgeError(
    "cursor_expired",
    `the place of cursor "${cursor}" is no longer on the page; observe again without a cursor`,
  );
}

function foldText(fold: Fold, cursor: string): string {
  const first = fold.rest[0]?.element as Partial<Element> | undefined;
  const tag = first?.localName ?? "item";
  const noun = tag === "tr" ? "rows" : tag === "li" ? "list items" : "like these";
  return `… ${fold.rest.length} more ${noun}; cursor ${cursor}`;
}

const sum = (lines: readonly TextLine[]): number => lines.reduce((total, line) => total + line.tokens, 0);

/** As many lines as the budget holds, at least one; a line that alone passes it is cut. */
function fitLines(
  lines: readonly TextLine[],
  maxTokens: number,
): { shown: TextLine[]; rest: TextLine | undefined } {
  const shown: TextLine[] = [];
  let spent = 0;
  for (const line of lines) {
    if (spent + line.tokens > maxTokens && shown.length > 0) return { shown, rest: line };
    spent += line.tokens;
    shown.push(line.tokens > maxTokens ? { ...line, text: truncate(line.text, maxTokens) } : line);
  }
  return { shown, rest: undefined };
}
