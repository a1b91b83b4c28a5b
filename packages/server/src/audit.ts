import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const MAX_BYTES = 10 * 1024 * 1024;
/** Acts that follow each other closely are written together: each write costs several file operations. */
const BATCH_MS = 20;

/** Who did what, and with which outcome. Typed text is never in it. */
export interface AuditRecord {
  readonly who: string;
  readonly what: string;
  readonly session?: string;
  readonly target?: unknown;
  readonly outcome: string;
}

/**
 * Appends to `audit.jsonl`, one line for each act and each refusal, in order. A full file becomes `audit.jsonl.1`.
 */
export class AuditLog {
  private queue: Promise<void> = Promise.resolve();
  private pending: string[] = [];

  constructor(private readonly file: string) {}

  write(record: AuditRecord): void {
    this.pending.push(`${JSON.stringify({ timestamp: new Date().toISOString(), ...record })}\n`);
    if (this.pending.length === 1)
      this.queue = this.queue.then(() => sleep(BATCH_MS)).then(() => this.flush());
  }

  /** Resolves when everything written so far is on disk. */
  settled(): Promise<void> {
    return this.queue;
  }

  private async flush(): Promise<void> {
    const lines = this.pending.join("");
    this.pending = [];
    try {
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
      const size = await stat(this.file).then(
        (found) => found.size,
        () => 0,
      );
      if (size > MAX_BYTES) await rename(this.file, `${this.file}.1`);
      await appendFile(this.file, lines, { mode: 0o600 });
    } catch (thrown) {
      process.stderr.write(`debug-bridge: the audit log cannot be written: ${(thrown as Error).message}\n`);
    }
  }
}
