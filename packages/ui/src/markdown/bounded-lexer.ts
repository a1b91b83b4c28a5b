import { Lexer, type Token, type TokensList } from "marked";

/** Text is hostile: the time for emphasis and links can grow with the square of a paragraph, and nesting with its length. */
const MAX_INLINE = 8_000;
const MAX_RUN = 60;
const MAX_DEPTH = 24;

const LONG_RUN = new RegExp(`([*_~!\`\\[])\\1{${MAX_RUN}}`);

const plain = (text: string): Token => ({ type: "text", raw: text, text, escaped: false });

/** Reads Markdown in bounded time. What would take longer is plain text. */
class BoundedLexer extends Lexer {
  private depth = 0;

  override blockTokens(source: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    return this.within(source, tokens, () => super.blockTokens(source, tokens, isClipped));
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length > MAX_INLINE || LONG_RUN.test(source)) {
      tokens.push(plain(source));
      return tokens;
    }
    return this.within(source, tokens, () => super.inlineTokens(source, tokens));
  }

  private within(source: string, tokens: Token[], read: () => Token[]): Token[] {
    if (this.depth >= MAX_DEPTH) {
      tokens.push(plain(source));
      return tokens;
    }
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }
}

/** The tokens of a text. Joined, their `raw` is the text. */
export function markdownTokens(text: string): Token[] {
  return new BoundedLexer({ gfm: true }).lex(text);
}
