import { Buffer } from "node:buffer";

/** Ends a frame. JSON cannot contain it, and Chrome's own pipe uses it too. */
const END = "\0";

/** A text as a frame of a pipe. */
export const frame = (text: string): string => text + END;

/**
 * Reads frames from a pipe whose other end is not trusted. Throws when a frame is larger than `maxBytes`, so that an
 * endless one cannot fill the memory.
 */
export class FrameReader {
  private held: Buffer[] = [];
  private heldBytes = 0;

  constructor(private readonly maxBytes: number) {}

  push(chunk: Buffer): string[] {
    const frames: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(END); at !== -1; at = chunk.indexOf(END, from)) {
      this.hold(chunk.subarray(from, at));
      frames.push(Buffer.concat(this.held).toString("utf8"));
      this.held = [];
      this.heldBytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) this.hold(chunk.subarray(from));
    return frames;
  }

  private hold(part: Buffer): void {
    this.heldBytes += part.length;
    if (this.heldBytes > this.maxBytes) throw new Error(`a message is larger than ${this.maxBytes} bytes`);
    this.held.push(part);
  }
}
