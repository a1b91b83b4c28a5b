import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readRegularBytes } from "../lines/regular-file.js";

/** What the pictures of one recording may take on disk. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
/** Pictures that wait to be written; what comes while the disk is slower is left out. */
const MAX_WAITING = 8;
const FILE = /^(\d{1,15})\.(jpg|end)$/;

/**
 * The pictures of a recording: `pictures/<milliseconds since the epoch>.jpg` in its folder, and an empty file `….end` where
 * no pictures of the page were taken. When they take too many bytes, every second one is removed, so that the whole time
 * stays covered.
 */
export class PictureFolder {
  private kept: { readonly at: number; readonly bytes: number }[] = [];
  private bytes = 0;
  private waiting = 0;
  private work: Promise<void> = Promise.resolve();
  private readonly folder: string;

  constructor(
    sessionFolder: string,
    private readonly maxBytes = MAX_PICTURE_BYTES,
  ) {
    this.folder = join(sessionFolder, "pictures");
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** No pictures of the page are taken from this time on. */
  end(at: number): void {
    this.work = this.work.then(() => writeFile(this.file(at, "end"), "", { mode: 0o600 })).catch(() => {});
  }

  /** Adds a picture. It is on disk when `settled` resolves, unless the disk is too slow. */
  add(at: number, picture: Buffer): void {
    if (this.waiting >= MAX_WAITING || picture.length > this.maxBytes / 4) return;
    this.waiting++;
    this.work = this.work
      .then(() => this.write(at, picture))
      .catch(() => {})
      .finally(() => {
        this.waiting--;
      });
  }

  settled(): Promise<void> {
    return this.work;
  }

  private async write(at: number, picture: Buffer): Promise<void> {
    await writeFile(this.file(at, "jpg"), picture, { flag: "wx", mode: 0o600 });
    this.kept.push({ at, bytes: picture.length });
    this.bytes += picture.length;
    while (this.bytes > this.maxBytes) await this.thin();
  }

  private async thin(): Promise<void> {
    const isRemoved = (index: number): boolean => index % 2 === 1 && index < this.kept.length - 1;
    const removed = this.kept.filter((_picture, index) => isRemoved(index));
    this.kept = this.kept.filter((_picture, index) => !isRemoved(index));
    for (const { at, bytes } of removed) {
      this.bytes -= bytes;
      await unlink(this.file(at, "jpg")).catch(() => {});
    }
  }

  private file(at: number, extension: string): string {
    return join(this.folder, `${at}.${extension}`);
  }
}

/** A picture of a recording, or the end of a time in which there were pictures. */
export interface PictureTime {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly isEnd: boolean;
}

/** The times of the pictures in a session's folder, oldest first. */
export function pictureTimes(sessionFolder: string): PictureTime[] {
  const folder = join(sessionFolder, "pictures");
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .flatMap((name) => {
      const [, at, extension] = FILE.exec(name) ?? [];
      return at === undefined ? [] : { at: Number(at), isEnd: extension === "end" };
    })
    .sort((a, b) => a.at - b.at);
}

/** One of them; undefined when it cannot be read. */
export function readPicture(sessionFolder: string, at: number): Buffer | undefined {
  try {
    return readRegularBytes(join(sessionFolder, "pictures", `${at}.jpg`));
  } catch {
    return undefined;
  }
}
