import { closeSync, type FSWatcher, fstatSync, readSync, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";
import { type Line, LineSplitter } from "./line-splitter.js";
import { openRegular } from "./regular-file.js";

const CHUNK_BYTES = 64 * 1024;
/** How often a file is looked at where the system cannot tell about changes (some network drives). */
const LOOK_EVERY_MS = 250;

export interface FollowOptions {
  /** Byte offset to start at, or the file's end. */
  readonly from?: number | "end";
  /** Called with each whole line, in order, each once. */
  onLine(line: Line): void;
  /** Called when the file became shorter: it was replaced, and is read from its beginning. */
  onRestart?(): void;
}

/** A file that is followed. */
export interface Following {
  /** Offset up to which bytes were read. */
  readonly position: number;
  /** Reads what is there now, without waiting to be told. */
  read(): void;
  /** Whether following keeps the process alive; it does not at first. */
  hold(alive: boolean): void;
  close(): void;
}

/**
 * Follows a file that grows, by byte offset. The folder is watched, not the file: it may not be there yet, and may be
 * replaced. The system says when something changed, and no timer runs.
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
    // Watching begins before the first read, so that nothing is missed between them.
    this.stopWatching = watchFile(path, () => this.read());
    this.read();
  }

  get position(): number {
    return this.splitter.position;
  }

  read(): void {
    // A listener that causes another read must not be given later lines before it is done with this one.
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
      for (let bytes = this.fill(fd); bytes > 0 && !this.closed; bytes = this.fill(fd)) {
        for (const line of this.splitter.push(this.chunk.subarray(0, bytes))) {
          if (this.closed) return;
          if (line.text !== "") this.options.onLine(line);
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

  /** Reads the next bytes; none when there are none, or when the disk does not give them now. */
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

/** Calls back when a file may have changed. The result stops it, or with an argument says whether it keeps the process alive. */
export function watchFile(path: string, changed: () => void): (alive?: boolean) => void {
  const name = basename(path);
  let alive = false;
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  const lookInstead = (): void => {
    watcher?.close();
    watcher = undefined;
    timer ??= setInterval(changed, LOOK_EVERY_MS);
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
