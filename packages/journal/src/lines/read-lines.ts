import { closeSync, readSync } from "node:fs";
import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";
import { type Line, LineSplitter } from "./line-splitter.js";
import { openRegular } from "./regular-file.js";

const CHUNK_BYTES = 256 * 1024;
/** How far back `lastLines` looks: a file may be huge and have no line end. */
export const MAX_LAST_BYTES = 64 * 1024 * 1024;

/**
 * Iterates over the complete lines of a file from a byte offset on. It reads lazily: a file of any size takes the memory
 * of its longest line. An incomplete last line is skipped.
 *
 * @example for (const { text } of readLines("events.jsonl")) console.log(JSON.parse(text).type);
 */
export function* readLines(path: string, from = 0, followLinks = true): Generator<Line> {
  const fd = openRegular(path, { followLinks });
  try {
    const splitter = new LineSplitter(from, AGENT_LINE_LIMITS.bytes);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
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
  for (let span = CHUNK_BYTES; ; span *= 4) {
    const from = Math.max(0, size - span);
    const lines = [...readLines(path, from, false)].filter(({ end }) => end <= size);
    // The first line is incomplete unless the span starts at the beginning of the file.
    const whole = from === 0 ? lines : lines.slice(1);
    if (from === 0 || whole.length >= count || span >= MAX_LAST_BYTES)
      return count === 0 ? [] : whole.slice(-count);
  }
}
