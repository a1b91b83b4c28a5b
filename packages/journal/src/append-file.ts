import { closeSync, constants, fstatSync, readSync, writeSync } from "node:fs";
import { openRegular } from "./regular-file.js";

const NEWLINE = 0x0a;

/**
 * A file to which lines are only ever added, by any number of processes. A line goes out in one write to a descriptor
 * that always appends, so that lines of several writers never mix, and a process that is killed after `append` has
 * lost nothing. Where a writer died within a line, the next one starts on a line of its own.
 */
export class AppendFile {
  private readonly fd: number;
  private torn: boolean;
  private closed = false;

  constructor(path: string) {
    this.fd = openRegular(path, { flags: constants.O_APPEND | constants.O_CREAT | constants.O_RDWR });
    this.torn = endsWithinLine(this.fd);
  }

  /** Adds lines, each without its line end, in one write. Throws what the disk says. */
  append(...lines: readonly string[]): void {
    if (this.closed) throw new Error("the file is closed");
    const text = lines.length === 1 ? `${lines[0]}\n` : `${lines.join("\n")}\n`;
    const bytes = Buffer.from(this.torn ? `\n${text}` : text, "utf8");
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.fd, bytes, written);
      this.torn = false;
    } catch (thrown) {
      this.torn = this.torn || written > 0;
      throw thrown;
    }
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    closeSync(this.fd);
  }
}

/** Adds one line to a file that others write to as well. */
export function appendLine(path: string, line: string): void {
  const file = new AppendFile(path);
  try {
    file.append(line);
  } finally {
    file.close();
  }
}

function endsWithinLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}
