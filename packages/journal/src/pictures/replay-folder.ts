import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { parseOrNothing } from "@debug-bridge/protocol/timeline";
import { readRegular } from "../lines/regular-file.js";

/** What the replay of one recording may take on disk; what comes after is left out. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Characters that wait to be written; what comes while the disk is slower ends the segment. */
const MAX_WAITING = 8 * 1024 * 1024;
const FILE = /^(\d{1,15})\.(jsonl|end)$/;

/**
 * The replay of a recording: `replay/<milliseconds since the epoch>.jsonl`, each of which begins with the whole page and has
 * a list of events on every line, and an empty file `….end` where watching the page ended.
 */
export class ReplayFolder {
  private file: string | undefined;
  private bytes = 0;
  private waiting = 0;
  private work: Promise<void> = Promise.resolve();
  private readonly folder: string;

  constructor(
    sessionFolder: string,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.folder = join(sessionFolder, "replay");
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  add(at: number, events: string, isStart: boolean): void {
    if (isStart) this.file = join(this.folder, `${at}.jsonl`);
    if (this.file === undefined) return;
    if (this.waiting > MAX_WAITING || this.bytes + events.length > this.maxBytes) {
      this.end(at);
      return;
    }
    this.bytes += events.length + 1;
    this.write(this.file, `${events.replaceAll("\n", " ")}\n`);
  }

  /** Nobody watches the page from this time on. */
  end(at: number): void {
    if (this.file === undefined) return;
    this.file = undefined;
    this.write(join(this.folder, `${at}.end`), "");
  }

  settled(): Promise<void> {
    return this.work;
  }

  private write(file: string, text: string): void {
    this.waiting += text.length;
    this.work = this.work
      .then(() => appendFile(file, text, { mode: 0o600 }))
      .catch(() => {})
      .finally(() => {
        this.waiting -= text.length;
      });
  }
}

/** A segment of a replay on disk. */
export interface ReplayTime {
  readonly at: number;
  /** From when on it says nothing more about the page. */
  readonly end: number | undefined;
}

/** The segments in a session's folder, oldest first. */
export function replayTimes(sessionFolder: string): ReplayTime[] {
  const folder = join(sessionFolder, "replay");
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const times = readdirSync(folder)
    .flatMap((name) => {
      const [, at, extension] = FILE.exec(name) ?? [];
      return at === undefined ? [] : { at: Number(at), isEnd: extension === "end" };
    })
    .sort((a, b) => a.at - b.at);
  return times.flatMap(({ at, isEnd }, index) => (isEnd ? [] : { at, end: times[index + 1]?.at }));
}

/** The lists of events of a segment, each as JSON text. Empty when it cannot be read. */
export function readReplay(sessionFolder: string, at: number): string[] {
  try {
    const text = readRegular(join(sessionFolder, "replay", `${at}.jsonl`));
    return text.split("\n").filter((line) => line !== "" && Array.isArray(parseOrNothing(line)));
  } catch {
    return [];
  }
}
