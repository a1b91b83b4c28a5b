import { randomBytes } from "node:crypto";
import { createWriteStream, mkdirSync, renameSync, type WriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionFile } from "@debug-bridge/protocol";

export interface SessionFolderOptions {
  /** The id that the session has on its wire. */
  readonly sessionId: string;
  readonly kind: string;
  readonly now?: Date;
}

/** `debug_20260123_131000_abc1`: sorts by time, and two that start at once differ. */
export function folderName(now: Date, random = randomBytes(2).toString("hex")): string {
  const [date = "", time = ""] = now.toISOString().replaceAll(/[-:]/g, "").split("T");
  return `debug_${date}_${time.slice(0, 6)}_${random}`;
}

/**
 * One session's folder below `debug/sessions`: `session.json`, written once and replaced whole, and `events.jsonl`, to
 * which lines are only ever added. Only its owner can read it.
 */
export class SessionFolder {
  private readonly events: WriteStream;

  private constructor(
    readonly path: string,
    private session: SessionFile,
  ) {
    this.events = createWriteStream(join(path, "events.jsonl"), { flags: "a", mode: 0o600 });
    this.events.on("error", (error) =>
      process.stderr.write(`debug-bridge: recording stopped: ${error.message}\n`),
    );
    this.writeSessionFile();
  }

  static create(home: string, options: SessionFolderOptions): SessionFolder {
    const now = options.now ?? new Date();
    const id = folderName(now);
    const path = join(home, "debug", "sessions", id);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return new SessionFolder(path, {
      id,
      pid: process.pid,
      startTime: now.toISOString(),
      cwd: process.cwd(),
      kind: options.kind,
      name: options.sessionId,
    });
  }

  /** Adds one record, as JSON without a line end. */
  append(json: string): void {
    this.events.write(`${json}\n`);
  }

  /** Ends the session: everything is on disk when it resolves. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.events.end(() => resolve()));
    this.session = { ...this.session, endTime: new Date().toISOString() };
    this.writeSessionFile();
  }

  private writeSessionFile(): void {
    const file = join(this.path, "session.json");
    writeFileSync(`${file}.new`, `${JSON.stringify(this.session, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}
