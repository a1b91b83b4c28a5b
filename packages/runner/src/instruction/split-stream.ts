import { MAX_XML_CHARACTERS } from "./xml-text.js";

const OPEN = /<browser_action(?=[\s/>])/g;
const INSIDE = /<!\[CDATA\[|<!--|<\/browser_action\s*>|<browser_action(?=[\s/>])/g;

/**
 * Splits a stream of text into its `<browser_action>` elements. Text between them is returned as a separate piece, so
 * that the parser can report it.
 */
export class StreamSplitter {
  private rest = "";

  /** The pieces that this part of the stream completes. */
  push(part: string): string[] {
    this.rest += part;
    const pieces: string[] = [];
    for (;;) {
      const end = endOfPiece(this.rest);
      if (end === undefined) break;
      const piece = this.rest.slice(0, end).trim();
      if (piece !== "") pieces.push(piece);
      this.rest = this.rest.slice(end);
    }
    // Text that is too long to be an instruction is returned so that it is refused and its memory is freed.
    if (this.rest.length > MAX_XML_CHARACTERS) pieces.push(...this.end());
    return pieces;
  }

  /** What is left when the stream ends. */
  end(): string[] {
    const piece = this.rest.trim();
    this.rest = "";
    return piece === "" ? [] : [piece];
  }
}

/** Where the first piece ends, or `undefined` when that is not known yet. */
function endOfPiece(text: string): number | undefined {
  OPEN.lastIndex = 0;
  const open = OPEN.exec(text);
  if (!open) return undefined;
  if (text.slice(0, open.index).trim() !== "") return open.index;
  const tagEnd = endOfTag(text, OPEN.lastIndex);
  if (tagEnd === undefined) return undefined;
  if (text[tagEnd - 1] === "/") return tagEnd + 1;
  INSIDE.lastIndex = tagEnd + 1;
  for (let found = INSIDE.exec(text); found; found = INSIDE.exec(text)) {
    if (found[0].startsWith("</")) return INSIDE.lastIndex;
    // A new element begins before this one ended: this one is broken, the new one may be complete.
    if (found[0].startsWith("<browser")) return found.index;
    const close = found[0] === "<!--" ? "-->" : "]]>";
    const end = text.indexOf(close, INSIDE.lastIndex);
    if (end === -1) return undefined;
    INSIDE.lastIndex = end + close.length;
  }
  return undefined;
}

/** Index of the `>` that ends a tag; one inside quotes does not. */
function endOfTag(text: string, from: number): number | undefined {
  let quote = "";
  for (let i = from; i < text.length; i++) {
    const sign = text[i] as string;
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return i;
  }
  return undefined;
}
