import { closeSync, type FSWatcher, fstatSync, readSync, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";
import { type Line, LineSplitter } from "./line-splitter.js";
import { openRegular } from "./regular-file.js";

const CHUNK_BYTES = 64 * 1024;
/** How much is read before other work gets its turn: a file may be huge. */
const MAX_TURN_BYTES = 32 * 1024 * 1024;
/** Poll interval for file systems without change notifications, such as some network drives. */
const POLL_INTERVAL_MS = 250;

export interface FollowOptions {
  /** Byte offset to start at, or the file's end. */
  readonly from?: number | "end";
  /** Called once for each complete line, in order. */
  onLine(line: Line): void;
  /** Called when the file became shorter: it was replaced and is read from the beginning. */
  onRestart?(): void;
}

/** A file that is followed. */
export interface Following {
  /** Offset up to which bytes were read. */
  readonly position: number;
  /** Reads new lines now, without waiting for a change notification. */
  read(): void;
  /** Sets whether following keeps the process alive. By default it does not. */
  hold(alive: boolean): void;
  close(): void;
}

/**
 * Follows a growing file by byte offset. It watches the folder and not the file, because the file may not exist yet and
 * may be replaced. The operating system reports changes, so that no timer runs.
 *
 * @example
 * const following = followLines("events.jsonl", { from: "end", onLine: ({ text }) => console.log(text) });
 */
export function followLines(path: string, options: FollowOptions): Following {
  return new FileFollower(path, options);
}

class FileFollower implements Following {
  private splitter: LineSplitter;
  private closed = false;
  private reading = false;
  private readonly stopWatching: (alive?: boolean) => void;
  private readonly chunk = Buffer.allocUnsafe(CHUNK_BYTES);

  constructor(
    private readonly path: string,
    private readonly options: FollowOptions,
  ) {
    const from = options.from === "end" ? sizeOf(path) : (options.from ?? 0);
    this.splitter = new LineSplitter(from, AGENT_LINE_LIMITS.bytes);
    // Start watching before the first read, so that no change is missed in between.
    this.stopWatching = watchFile(path, () => this.read());
    this.read();
  }

  get position(): number {
    return this.splitter.position;
  }

  read(): void {
    // A listener that triggers another read must not receive later lines before it has finished this one.
    if (this.closed || this.reading) return;
    let fd: number;
    try {
      fd = openRegular(this.path);
    } catch {
      return;
    }
    this.reading = true;
    try {
      if (fstatSync(fd).size < this.splitter.position) this.restart();
      const stopAt = this.splitter.position + MAX_TURN_BYTES;
      for (let bytes = this.fill(fd); bytes > 0 && !this.closed; bytes = this.fill(fd)) {
        for (const line of this.splitter.push(this.chunk.subarray(0, bytes))) {
          if (this.closed) return;
          if (line.text !== "") this.options.onLine(line);
        }
        if (this.splitter.position >= stopAt) {
          setImmediate(() => this.read()).unref();
          return;
        }
      }
    } finally {
      this.reading = false;
      closeSync(fd);
    }
  }

  hold(alive: boolean): void {
    if (!this.closed) this.stopWatching(alive);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.stopWatching();
  }

  /** Reads the next bytes; returns none at the end of the file or after a read error. */
  private fill(fd: number): number {
    try {
      return readSync(fd, this.chunk, 0, this.chunk.length, this.splitter.position);
    } catch {
      return 0;
    }
  }

  private restart(): void {
    this.splitter = new LineSplitter(0, AGENT_LINE_LIMITS.bytes);
    this.options.onRestart?.();
  }
}

/** Calls back when a file may have changed. The returned function stops it, or sets whether it keeps the process alive. */
export function watchFile(path: string, changed: () => void): (alive?: boolean) => void {
  const name = basename(path);
  let alive = false;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  const lookInstead = (): void => {
    watcher?.close();
    watcher = undefined;
    timer ??= setInterval(changed, POLL_INTERVAL_MS);
    if (!alive) timer.unref();
  };
  try {
    watcher = watch(dirname(path), { persistent: true }, (_event, file) => {
      if (file === null || file === name) changed();
    });
    watcher.unref();
    watcher.on("error", lookInstead);
  } catch {
    lookInstead();
  }
  return (hold) => {
    if (hold === undefined) {
      watcher?.close();
      clearInterval(timer);
      return;
    }
    alive = hold;
    for (const handle of [watcher, timer]) hold ? handle?.ref() : handle?.unref();
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
