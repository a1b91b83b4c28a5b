import { closeSync, constants, fstatSync, readSync, writeSync } from "node:fs";
import { openRegular } from "./regular-file.js";

const NEWLINE = 0x0a;

/**
 * An append-only file of lines for any number of processes. Each line is one write to a descriptor in append mode, so
 * that lines of several writers never mix, and a process that is killed after `append` loses nothing. If a writer died
 * in the middle of a line, the next writer starts a new line.
 */
export class AppendFile {
  private readonly fd: number;
  private torn: boolean;
  private closed = false;

  constructor(path: string) {
    this.fd = openRegular(path, { flags: constants.O_APPEND | constants.O_CREAT | constants.O_RDWR });
    this.torn = endsWithinLine(this.fd);
  }

  /** Appends lines, given without line ends, in one write. Throws errors of the file system. */
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

  /** Ends a line that a writer left incomplete, so that readers see what there is of it. */
  endLine(): void {
    if (this.torn) this.append("");
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    closeSync(this.fd);
  }
}

/** Appends one line to a file that other processes also write to. */
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
