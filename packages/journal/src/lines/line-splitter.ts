const NEWLINE = 0x0a;

/** A complete line without its line end. */
export interface Line {
  readonly text: string;
  /** Offset of the byte after the line end. */
  readonly end: number;
  /** Whether the line was too long; `text` is then only its beginning. */
  readonly cut: boolean;
}

/**
 * Splits a stream of bytes into lines, for chunks of any size. Bytes after the last line end are buffered until the next
 * line end arrives, so that an incomplete line is never returned. Memory is bounded: only the beginning of a line longer
 * than `maxBytes` is kept.
 */
export class LineSplitter {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private lineBytes = 0;

  constructor(
    private offset = 0,
    private readonly maxBytes = Number.POSITIVE_INFINITY,
  ) {}

  /** Offset up to which bytes were read, including those of an incomplete line. */
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
    // Copy the bytes: the caller may reuse the memory of the chunk.
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
