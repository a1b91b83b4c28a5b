import { mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LineFile } from "@debug-bridge/journal";

/** Lines that follow each other closely are written together: each write costs several file operations. */
const BATCH_MS = 20;
/** What could not be written, as on a full disk, is tried again after this time. */
const RETRY_MS = 1_000;
/** Characters that wait to be written; what comes beyond is counted instead. */
const MAX_PENDING = 2_000_000;

/** A file of lines. When it is full it becomes `FILE.1`, and a new one is started. */
export class RotatingFile {
  private queue: Promise<void> = Promise.resolve();
  private pending: string[] = [];
  private pendingSize = 0;
  private lost = 0;
  private lines: LineFile;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly maxBytes: number,
  ) {
    this.lines = new LineFile(file);
  }

  /** Appends a line, given without its end. */
  append(line: string): void {
    if (this.pendingSize > MAX_PENDING) {
      this.lost++;
      return;
    }
    this.pendingSize += line.length;
    this.pending.push(`${line}\n`);
    if (this.pending.length === 1)
      this.queue = this.queue.then(() => sleep(BATCH_MS)).then(() => this.flush());
  }

  /** Resolves when everything appended so far is on disk, or the disk refuses it. */
  settled(): Promise<void> {
    if (this.retry) this.queue = this.queue.then(() => this.flush());
    return this.queue;
  }

  private async flush(): Promise<void> {
    const { pending, lost } = this;
    this.pending = [];
    this.pendingSize = 0;
    this.lost = 0;
    if (lost > 0) pending.push(`${JSON.stringify({ timestamp: new Date().toISOString(), lost })}\n`);
    const { left, error } = await this.write(pending);
    if (error) this.keep(left, error);
    else {
      clearTimeout(this.retry);
      this.retry = undefined;
    }
  }

  /** Writes lines; resolves with those that are not in the file. */
  private async write(lines: readonly string[]): Promise<{ left: readonly string[]; error?: Error }> {
    let rest = lines;
    try {
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
      for (let size = await sizeOf(this.file); rest.length > 0; size = 0) {
        const part = fitting(rest, this.maxBytes - size, size === 0);
        const { left, error } = await this.lines.append(rest.slice(0, part));
        rest = [...left, ...rest.slice(part)];
        if (error) return { left: rest, error };
        if (rest.length === 0) break;
        await rename(this.file, `${this.file}.1`);
        this.lines = new LineFile(this.file);
      }
      return { left: [] };
    } catch (thrown) {
      return { left: rest, error: thrown as Error };
    }
  }

  /** Keeps what could not be written for another attempt, before what came meanwhile. */
  private keep(left: readonly string[], error: Error): void {
    if (!this.retry)
      process.stderr.write(
        `debug-bridge: ${this.file} cannot be written: ${error.message}; it is tried again every second\n`,
      );
    this.pending = [...left, ...this.pending];
    this.pendingSize += left.reduce((size, line) => size + line.length - 1, 0);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => {
      this.queue = this.queue.then(() => this.flush());
    }, RETRY_MS).unref();
  }
}

/** How many of the lines fit; at least one into an empty file. */
function fitting(lines: readonly string[], room: number, isEmpty: boolean): number {
  let size = 0;
  let count = 0;
  for (const line of lines) {
    size += line.length;
    if (size > room && !(isEmpty && count === 0)) break;
    count++;
  }
  return count;
}

function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    (found) => found.size,
    () => 0,
  );
}
