import { stripControlCharacters } from "@debug-bridge/protocol";

/** A finished line, with the node that it starts with. */
export interface Written {
  readonly node: Node;
  readonly text: string;
  /** Nothing but one thing that is described, such as `e3 link "Terms"`. */
  readonly isThing: boolean;
}

interface Piece {
  readonly node: Node;
  readonly text: string;
  readonly isThing: boolean;
}

const BLANK = /^[\s\u200b]*$/;

/** Collects what is drawn on one line: text of the page, and things that are described. */
export class Line {
  private pieces: Piece[] = [];
  private isPreformatted = false;

  constructor(private readonly mask: (text: string) => string) {}

  addText(node: Node, text: string, isPreformatted = false): void {
    if (isPreformatted) this.isPreformatted = true;
    if (text !== "") this.pieces.push({ node, text, isThing: false });
  }

  addThing(node: Node, text: string): void {
    this.pieces.push({ node, text, isThing: true });
  }

  /** What it holds, and starts again. Text makes one line of it all; things alone have a line each. */
  end(): Written[] {
    const { pieces, isPreformatted } = this;
    this.pieces = [];
    this.isPreformatted = false;
    const first = pieces.find(({ text, isThing }) => isThing || !BLANK.test(text));
    if (!first) return [];
    if (pieces.every(({ text, isThing }) => isThing || BLANK.test(text)))
      return pieces.filter(({ isThing }) => isThing);
    let line = "";
    let run = "";
    for (const { text, isThing } of [...pieces, { text: "", isThing: true }]) {
      if (!isThing) run += text;
      else {
        line += this.mask(stripControlCharacters(isPreformatted ? run : run.replace(/[\s\u200b]+/g, " ")));
        run = "";
        if (text) line += `[${text}]`;
      }
    }
    return [{ node: first.node, text: line.trim(), isThing: false }];
  }
}
