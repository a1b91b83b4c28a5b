import { closeSync, fstatSync, readSync } from "node:fs";
import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";
import { type Line, LineSplitter } from "./line-splitter.js";
import { openRegular } from "./regular-file.js";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1024;
const BLOCK_BYTES = 64 * 1024;
/** How far back `lastLines` looks: a file may be huge and have no line end. */
export const MAX_LAST_BYTES = 64 * 1024 * 1024;

/**
 * Iterates over the complete lines of a file from a byte offset on. It reads lazily: a file of any size takes the memory
 * of its longest line. An incomplete last line is skipped. `chunkBytes`: how much is read at once.
 *
 * @example for (const { text } of readLines("events.jsonl")) console.log(JSON.parse(text).type);
 */
export function* readLines(
  path: string,
  from = 0,
  followLinks = true,
  chunkBytes = CHUNK_BYTES,
): Generator<Line> {
  const fd = openRegular(path, { followLinks });
  try {
    const splitter = new LineSplitter(from, AGENT_LINE_LIMITS.bytes);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const bytes = readSync(fd, chunk, 0, chunk.length, splitter.position);
      if (bytes === 0) return;
      // A writer that starts after an incomplete line can leave an empty line.
      for (const line of splitter.push(chunk.subarray(0, bytes))) if (line.text !== "") yield line;
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns the newest complete lines of the first `size` bytes of a file, oldest first. It reads from the end, so that the
 * cost does not grow with the file. Lines that are appended in the meantime are not included. A link, anything else
 * that is not a regular file, and a file that cannot be read have no lines.
 */
export function lastLines(path: string, count: number, size: number): Line[] {
  try {
    return readLast(path, count, size);
  } catch {
    return [];
  }
}

function readLast(path: string, count: number, size: number): Line[] {
  const lines: Line[] = [];
  if (count > 0)
    for (const line of readLinesBackward(path, size, Math.max(0, size - MAX_LAST_BYTES))) {
      lines.push(line);
      if (lines.length === count) break;
    }
  return lines.reverse();
}

/**
 * Iterates over the complete lines of the first `end` bytes of a file, newest first, in blocks: the cost is that of the
 * lines that are taken, whatever the size of the file. `floor`: what comes before this offset is not read.
 */
export function* readLinesBackward(path: string, end: number, floor = 0): Generator<Line> {
  const fd = openRegular(path);
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    /** Offset of the line end of the line that is being read. */
    let lineEnd: number | undefined;
    for (let to = Math.min(end, fstatSync(fd).size); to > floor; ) {
      const from = Math.max(floor, to - BLOCK_BYTES);
      const bytes = block.subarray(0, readSync(fd, block, 0, to - from, from));
      for (let at = bytes.lastIndexOf(NEWLINE); at !== -1; at = lastNewline(bytes, at)) {
        if (lineEnd !== undefined && lineEnd > from + at + 1) yield lineAt(fd, from + at + 1, lineEnd);
        lineEnd = from + at;
      }
      to = from;
    }
    // Without the bytes before the floor, nobody knows where the first line begins.
    if (lineEnd !== undefined && lineEnd > 0 && floor === 0) yield lineAt(fd, 0, lineEnd);
  } finally {
    closeSync(fd);
  }
}

/** `lastIndexOf` counts a negative offset from the end. */
const lastNewline = (bytes: Buffer, before: number): number =>
  before === 0 ? -1 : bytes.lastIndexOf(NEWLINE, before - 1);

function lineAt(fd: number, start: number, lineEnd: number): Line {
  const length = Math.min(lineEnd - start, AGENT_LINE_LIMITS.bytes);
  const bytes = Buffer.allocUnsafe(length);
  const read = readSync(fd, bytes, 0, length, start);
  return { text: bytes.toString("utf8", 0, read), end: lineEnd + 1, cut: lineEnd - start > length };
}
