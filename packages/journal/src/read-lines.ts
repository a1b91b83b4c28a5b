import { closeSync, lstatSync, readSync } from "node:fs";
import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";
import { type Line, LineSplitter } from "./line-splitter.js";
import { openRegular } from "./regular-file.js";

const CHUNK_BYTES = 256 * 1024;

/**
 * The whole lines of a file from a byte offset on, read as they are asked for: a file of any size takes the memory of
 * its longest line. A torn last line is left out.
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
      // An empty line is what a writer leaves that saw another one in the middle of its line.
      for (const line of splitter.push(chunk.subarray(0, bytes))) if (line.text !== "") yield line;
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * The newest whole lines of the first `size` bytes of a file, oldest first, found from their end: their cost does not
 * grow with the file, and what is appended meanwhile is not among them. None when the file is a link or no file.
 */
export function lastLines(path: string, count: number, size: number): Line[] {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return [];
  for (let span = CHUNK_BYTES; ; span *= 4) {
    const from = Math.max(0, size - span);
    const lines = [...readLines(path, from, false)].filter(({ end }) => end <= size);
    // The first line was cut by where the span begins, unless the file begins there too.
    const whole = from === 0 ? lines : lines.slice(1);
    if (from === 0 || whole.length >= count) return count === 0 ? [] : whole.slice(-count);
  }
}
