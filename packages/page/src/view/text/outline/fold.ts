import { estimateTokens, truncate } from "@debug-bridge/protocol";

/** A part of a page as text; the same shape as an outline's blocks, without the DOM. */
export interface TextBlock {
  readonly element: object;
  readonly line: string | undefined;
  readonly children: readonly TextBlock[];
  /** Its line says how many others were left out. */
  readonly isCut?: boolean;
}

/** A line with what it starts with. */
export interface TextLine {
  readonly element: object;
  readonly text: string;
  readonly tokens: number;
  /** Whether something was left out here: rows after the first ones of their kind, or the end of a long text. */
  readonly isCut?: boolean;
}

export const SHOWN_ROWS = 3;
export const MIN_FOLDED = 3;
/** What the cursor at the end of a line costs. */
const CURSOR_TOKENS = 10;
/** Longer runs of text are cut in an overview. */
const MAX_RUN = 300;

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

/** An overview: every line, with long runs of like siblings cut to their first rows, and long texts to their start. */
export function overviewLines(block: TextBlock): TextLine[] {
  const lines: TextLine[] = [];
  const add = (element: object, text: string, isCut: boolean): void => {
    lines.push({ element, text, tokens: estimateTokens(text) + 1 + (isCut ? CURSOR_TOKENS : 0), isCut });
  };
  const visit = ({ element, line, children, isCut }: TextBlock): void => {
    if (line !== undefined) {
      const short = shorten(line);
      add(element, short, isCut === true || short !== line);
    }
    for (let i = 0; i < children.length; ) {
      const end = endOfRun(children, i);
      const shown = end - i >= SHOWN_ROWS + MIN_FOLDED ? i + SHOWN_ROWS : end;
      for (; i < shown; i++) visit(children[i] as TextBlock);
      const first = i < end && allLines(children[i] as TextBlock)[0];
      if (first) add(first.element, `… ${end - shown} more ${nounOf(children[shown] as TextBlock)}`, true);
      i = end;
    }
  };
  visit(block);
  return lines;
}

/** Cuts the long texts of a line, not what can be used in it. */
export function shorten(line: string): string {
  if (line.length <= MAX_RUN) return line;
  return line.replace(/[^[\]]{301,}/g, (run) => truncate(run, MAX_RUN));
}

export function nounOf({ element }: TextBlock): string {
  const tag = (element as Partial<Element>).localName;
  return tag === "tr" ? "rows" : tag === "li" ? "list items" : "like these";
}

/** The end of the run of siblings that look like the one at `start`. */
function endOfRun(blocks: readonly TextBlock[], start: number): number {
  const kind = kindOf(blocks[start] as TextBlock);
  let end = start + 1;
  while (end < blocks.length && kindOf(blocks[end] as TextBlock) === kind) end++;
  return end;
}

/** Rows are alike when they are of the same tag and begin the same kind of line. */
export function kindOf({ element, line, children, isCut }: TextBlock): string {
  if (isCut) return "";
  const tag = (element as Partial<Element>).localName ?? "";
  const first =
    line === undefined
      ? ""
      : (/^(?:f\d+)?e\d+ (\S+)/.exec(line)?.[1] ??
        (line.startsWith("row ") ? "row" : line.startsWith("#") ? "#" : "text"));
  return `${tag} ${first} ${children.length > 0}`;
}
