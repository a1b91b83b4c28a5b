const NEWLINE = 0x0a;

/** A whole line, without its line end. */
export interface Line {
  readonly text: string;
  /** Offset of the byte after the line end. */
  readonly end: number;
  /** The line was longer than allowed; `text` holds only its beginning. */
  readonly cut: boolean;
}

/**
 * Cuts a stream of bytes into lines, whatever the chunks. What follows the last line end is held back until its own
 * arrives, so that a line which is still being written, or never will be, is not taken for a whole one. Memory is
 * bounded: of a line above `maxBytes` only the beginning is kept.
 */
export class LineSplitter {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private lineBytes = 0;

  constructor(
    private offset = 0,
    private readonly maxBytes = Number.POSITIVE_INFINITY,
  ) {}

  /** Offset up to which bytes were taken, those of a line that is not whole included. */
  get position(): number {
    return this.offset;
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.hold(chunk.subarray(from, at));
      lines.push(this.release(this.offset + at + 1));
      from = at + 1;
    }
    // The chunk's memory belongs to the caller, who may read the next one into it.
    if (from < chunk.length) this.hold(Buffer.from(chunk.subarray(from)));
    this.offset += chunk.length;
    return lines;
  }

  private hold(part: Buffer): void {
    this.lineBytes += part.length;
    const room = this.maxBytes - this.heldBytes;
    if (room <= 0 || part.length === 0) return;
    const kept = part.length > room ? part.subarray(0, room) : part;
    this.held.push(kept);
    this.heldBytes += kept.length;
  }

  private release(end: number): Line {
    const bytes = this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held);
    const cut = this.lineBytes > this.heldBytes;
    this.held = [];
    this.heldBytes = 0;
    this.lineBytes = 0;
    return { text: bytes.toString("utf8"), end, cut };
  }
}
