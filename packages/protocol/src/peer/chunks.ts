import { BridgeError } from "../errors.js";
import { CHUNK_BYTES } from "../limits.js";
import type { Chunk } from "../schema/chunk.js";

/** Taken at load: in a page, the app may replace `JSON` later. */
const { stringify } = JSON;

/**
 * Splits a frame into chunk frames when it is longer than `size` characters; else returns it as it is.
 *
 * @example for (const frame of splitFrame(JSON.stringify(message), "c1")) socket.send(frame);
 */
export function splitFrame(frame: string, chunkId: string, size = CHUNK_BYTES): string[] {
  if (frame.length <= size) return [frame];
  const parts: string[] = [];
  for (let start = 0; start < frame.length; ) {
    let end = Math.min(start + size, frame.length);
    const last = frame.charCodeAt(end - 1);
    if (end < frame.length && last >= 0xd800 && last <= 0xdbff && end - 1 > start) end--;
    parts.push(frame.slice(start, end));
    start = end;
  }
  return parts.map((data, index) =>
    stringify({ type: "chunk", chunkId, index, total: parts.length, data } satisfies Chunk),
  );
}

/**
 * Puts chunks together again. Holds at most `maxBytes` of unfinished messages: a sender that never finishes one
 * cannot fill the memory.
 */
export class ChunkJoiner {
  private readonly unfinished = new Map<string, { parts: string[]; total: number; length: number }>();
  private heldCharacters = 0;

  constructor(private readonly maxBytes: number) {}

  /** Characters of unfinished messages. */
  get held(): number {
    return this.heldCharacters;
  }

  /** The whole frame once its last chunk is here, else `undefined`. Throws for chunks that cannot belong together. */
  add(chunk: Chunk): string | undefined {
    const entry = this.unfinished.get(chunk.chunkId) ?? { parts: [], total: chunk.total, length: 0 };
    if (entry.total !== chunk.total || entry.parts.length !== chunk.index) {
      this.drop(chunk.chunkId);
      throw new BridgeError(
        "invalid_message",
        `chunk ${chunk.index} of ${chunk.total} came out of order in "${chunk.chunkId}"; send the message again`,
        { field: "index" },
      );
    }
    this.unfinished.set(chunk.chunkId, entry);
    entry.parts.push(chunk.data);
    entry.length += chunk.data.length;
    this.heldCharacters += chunk.data.length;
    if (this.held > this.maxBytes) {
      this.drop(chunk.chunkId);
      throw new BridgeError(
        "too_large",
        `chunks of "${chunk.chunkId}" exceed ${this.maxBytes} characters in all`,
      );
    }
    if (entry.parts.length < entry.total) return undefined;
    this.drop(chunk.chunkId);
    return entry.parts.join("");
  }

  private drop(chunkId: string): void {
    this.heldCharacters -= this.unfinished.get(chunkId)?.length ?? 0;
    this.unfinished.delete(chunkId);
  }
}
