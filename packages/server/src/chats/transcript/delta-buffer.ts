import { CHAT_LIMITS } from "@debug-bridge/protocol";

/** Long enough to join the pieces of a fast model, shorter than a frame of the screen. */
const DELAY_MS = 15;
const MAX_CHARACTERS = CHAT_LIMITS.delta / 2;

/** Joins small pieces of text, so that a transcript has fewer lines. */
export class DeltaBuffer {
  private text = "";
  private timer: NodeJS.Timeout | undefined;
  private writtenAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly write: (text: string) => void) {}

  add(text: string): void {
    this.text += text;
    const waitMs = this.writtenAt + DELAY_MS - performance.now();
    // After a pause nobody has to wait for more.
    if (waitMs <= 0 || this.text.length >= MAX_CHARACTERS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), waitMs);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.text;
    this.text = "";
    this.writtenAt = performance.now();
    for (let from = 0; from < text.length; ) {
      const to = from + endOfPiece(text.slice(from, from + MAX_CHARACTERS));
      this.write(text.slice(from, to));
      from = to;
    }
  }
}

/** Where a piece ends: not within a surrogate pair, unless it is the whole piece. */
function endOfPiece(piece: string): number {
  const last = piece.charCodeAt(piece.length - 1);
  const isHalf = piece.length === MAX_CHARACTERS && last >= 0xd800 && last <= 0xdbff;
  return isHalf ? piece.length - 1 : piece.length;
}
