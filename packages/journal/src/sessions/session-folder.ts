import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionFile } from "@debug-bridge/protocol";
import { type Appended, LineFile } from "../lines/line-file.js";
import { replaceFile } from "../lines/replace-file.js";
import { debugPaths } from "./paths.js";

export interface SessionFolderOptions {
  /** The session's id on its wire. */
  readonly sessionId: string;
  readonly kind: string;
  readonly now?: Date;
}

/** `debug_20260123_131000_abc1`: sorts by time and is unique for sessions that start at the same time. */
export function folderName(now: Date, random = randomBytes(2).toString("hex")): string {
  const [date = "", time = ""] = now.toISOString().replaceAll(/[-:]/g, "").split("T");
  return `debug_${date}_${time.slice(0, 6)}_${random}`;
}

/** Creates a new folder with a unique name. */
export function newFolder(root: string, now: Date, name = folderName): { id: string; path: string } {
  const { sessions } = debugPaths(root);
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  for (;;) {
    const id = name(now);
    const path = join(sessions, id);
    try {
      mkdirSync(path, { mode: 0o700 });
      return { id, path };
    } catch (thrown) {
      // Four random digits can repeat within the same second.
      if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    }
  }
}

/** Writes `session.json` of a folder. */
export function writeSession(path: string, session: SessionFile): void {
  replaceFile(join(path, "session.json"), `${JSON.stringify(session, null, 2)}\n`);
}

/**
 * The folder of one recorded session below `debug/sessions`: `session.json`, which is replaced atomically, and
 * `events.jsonl`, which is append-only. Only its owner can read it.
 */
export class SessionFolder {
  private readonly events: LineFile;

  private constructor(
    readonly path: string,
    private session: SessionFile,
  ) {
    this.events = new LineFile(join(path, "events.jsonl"));
    writeFileSync(this.events.path, "", { flag: "a", mode: 0o600 });
    writeSession(path, session);
  }

  static create(home: string, options: SessionFolderOptions): SessionFolder {
    const now = options.now ?? new Date();
    const { id, path } = newFolder(home, now);
    try {
      return new SessionFolder(path, {
        id,
        pid: process.pid,
        startTime: now.toISOString(),
        cwd: process.cwd(),
        kind: options.kind,
        name: options.sessionId,
      });
    } catch (thrown) {
      // On a full disk nothing would ever complete it.
      rmSync(path, { recursive: true, force: true });
      throw thrown;
    }
  }

  /** Appends records, each of them JSON with a line end. Resolves with what the disk did not take. */
  append(lines: readonly string[]): Promise<Appended> {
    return this.events.append(lines);
  }

  /** Ends the session, once all of its records are written. */
  end(): void {
    this.session = { ...this.session, endTime: new Date().toISOString() };
    writeSession(this.path, this.session);
  }
}
