import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Lines that follow each other closely are written together: each write costs several file operations. */
const BATCH_MS = 20;
/** Characters that wait to be written; what comes beyond is counted instead. */
const MAX_PENDING = 2_000_000;

/** A file of lines. When it is full it becomes `FILE.1`, and a new one is started. */
export class RotatingFile {
  private queue: Promise<void> = Promise.resolve();
  private pending: string[] = [];
  private pendingSize = 0;
  private lost = 0;

  constructor(
    private readonly file: string,
    private readonly maxBytes: number,
  ) {}

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

  /** Resolves when everything appended so far is on disk. */
  settled(): Promise<void> {
    return this.queue;
  }

  private async flush(): Promise<void> {
    const { pending, lost } = this;
    this.pending = [];
    this.pendingSize = 0;
    this.lost = 0;
    if (lost > 0) pending.push(`${JSON.stringify({ timestamp: new Date().toISOString(), lost })}\n`);
    try {
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
      let size = await sizeOf(this.file);
      let part = "";
      for (const line of pending) {
        if (size + part.length + line.length > this.maxBytes && size + part.length > 0) {
          if (part !== "") await appendFile(this.file, part, { mode: 0o600 });
          await rename(this.file, `${this.file}.1`);
          part = "";
          size = 0;
        }
        part += line;
      }
      await appendFile(this.file, part, { mode: 0o600 });
    } catch (thrown) {
      process.stderr.write(`debug-bridge: ${this.file} cannot be written: ${(thrown as Error).message}\n`);
    }
  }
}

function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    (found) => found.size,
    () => 0,
  );
}
