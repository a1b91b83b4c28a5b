import { estimateTokens } from "@debug-bridge/protocol";

/** A part of a page as text; the same shape as an outline's blocks, without the DOM. */
export interface TextBlock {
  readonly element: object;
  readonly line: string | undefined;
  readonly children: readonly TextBlock[];
}

/** A line with its element, or with the position of what was folded. */
export interface TextLine {
  readonly element: object;
  readonly text: string;
  readonly tokens: number;
  readonly fold?: Fold;
}

/** Rows that were left out after the first ones of their kind. */
export interface Fold {
  readonly group: object;
  readonly rest: readonly TextBlock[];
}

const SHOWN_ROWS = 3;
const FEWEST_FOLDED = 3;
/** What the line of a fold costs with its cursor. */
const FOLD_TOKENS = 24;

/** Every line of a block, nothing folded. */
export function allLines(block: TextBlock): TextLine[] {
  const lines: TextLine[] = [];
  const visit = ({ element, line, children }: TextBlock): void => {
    if (line !== undefined) lines.push({ element, text: line, tokens: estimateTokens(line) + 1 });
    for (const child of children) visit(child);
  };
  visit(block);
  return lines;
}

/** Every line, with long runs of like siblings cut to their first rows. */
export function foldedLines(block: TextBlock): TextLine[] {
  const lines: TextLine[] = [];
  const visit = ({ element, line, children }: TextBlock): void => {
    if (line !== undefined) lines.push({ element, text: line, tokens: estimateTokens(line) + 1 });
    for (let i = 0; i < children.length; ) {
      const end = endOfRun(children, i);
      const shown = end - i >= SHOWN_ROWS + FEWEST_FOLDED ? i + SHOWN_ROWS : end;
      for (; i < shown; i++) visit(children[i] as TextBlock);
      if (shown < end) {
        const rest = children.slice(shown, end);
        const first = rest[0] as TextBlock;
        lines.push({ element: first.element, text: "", tokens: FOLD_TOKENS, fold: { group: element, rest } });
      }
      i = end;
    }
  };
  visit(block);
  return lines;
}

/** The end of the run of siblings that look like the one at `start`. */
function endOfRun(blocks: readonly TextBlock[], start: number): number {
  const kind = kindOf(blocks[start] as TextBlock);
  let end = start + 1;
  while (end < blocks.length && kindOf(blocks[end] as TextBlock) === kind) end++;
  return end;
}

/** Rows are alike when they are of the same tag and begin the same kind of line. */
function kindOf({ element, line, children }: TextBlock): string {
  const tag = (element as Partial<Element>).localName ?? "";
  const first =
    line === undefined
      ? ""
      : (/^e\d+ (\S+)/.exec(line)?.[1] ??
        (line.startsWith("row ") ? "row" : line.startsWith("#") ? "#" : "text"));
  return `${tag} ${first} ${children.length > 0}`;
}
