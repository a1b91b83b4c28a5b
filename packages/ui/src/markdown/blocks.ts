import type { Token } from "marked";
import { markdownTokens } from "./bounded-lexer.js";

/** A block of Markdown, such as a paragraph or a list, with its source text. */
export interface Block {
  readonly token: Token;
  /** Its place in the text; stays the same while text is added. */
  readonly at: number;
}

/** How many blocks at the end may still change when text is added: a list goes on after an empty line. */
const OPEN_BLOCKS = 2;

/**
 * Splits growing text into blocks of Markdown. Blocks that can no longer change are kept, so that a long answer costs
 * no more per piece than a short one, and their components need not render again.
 */
export class BlockReader {
  private text = "";
  private blocks: readonly Block[] = [];

  read(text: string): readonly Block[] {
    if (text === this.text) return this.blocks;
    const closed = text.startsWith(this.text) ? this.blocks.slice(0, -OPEN_BLOCKS) : [];
    const from = this.blocks[closed.length]?.at ?? 0;
    const start = closed.length > 0 ? from : 0;
    this.text = text;
    this.blocks = [...closed, ...blocksOf(text.slice(start), start)];
    return this.blocks;
  }
}

function blocksOf(text: string, start: number): Block[] {
  const found: Block[] = [];
  let at = start;
  for (const token of markdownTokens(text)) {
    if (token.type !== "space") found.push({ token, at });
    at += token.raw.length;
  }
  return found;
}
