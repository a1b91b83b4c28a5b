/**
 * What an element says about where it comes from, as text, because it crosses from the page's own world to that of the engine: the name
 * of its component on the first line, then a place (`src/app.tsx:6`), a stack, or one of the forms below.
 */
const CODE = "code:";
const TEMPLATE = "template:";
/** Functions can be long; both ends and the length are enough to know one again. */
const END = 300;

/** A piece of code as it runs. It is looked for in the scripts that the server sent. */
export interface CodePiece {
  readonly start: string;
  readonly end: string;
  readonly length: number;
  /** What is meant in it. */
  readonly offset: number;
  /** The name of the element that is written there; empty for a function. */
  readonly tag: string;
}

/** An element of a template literal, by what the template holds. */
export interface TemplatePiece {
  readonly signature: string;
  readonly nth: number;
}

export const codeForm = (text: string, offset = 0, tag = ""): string =>
  CODE +
  JSON.stringify({
    ...{ start: text.slice(0, END), end: text.slice(-END), length: text.length },
    ...{ offset, tag },
  } satisfies CodePiece);

export const templateForm = (piece: TemplatePiece): string => TEMPLATE + JSON.stringify(piece);

/** Reads back what the two functions above wrote. */
export function pieceIn(
  line: string,
): { readonly code?: CodePiece; readonly template?: TemplatePiece } | undefined {
  if (line.startsWith(CODE)) return { code: JSON.parse(line.slice(CODE.length)) as CodePiece };
  if (line.startsWith(TEMPLATE))
    return { template: JSON.parse(line.slice(TEMPLATE.length)) as TemplatePiece };
  return undefined;
}

export const nameOfFile = (file: string): string =>
  (file.split(/[/\\]/).at(-1) ?? "").replace(/\.\w{1,20}$/, "");
