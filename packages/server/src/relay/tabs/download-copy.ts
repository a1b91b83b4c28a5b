import { constants } from "node:fs";
import { copyFile, lstat, mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, parse, relative, resolve } from "node:path";

const MAX_NAMES = 100;

/** Copies downloads from the browser's folder to where a client wants them, and nowhere else. */
export class DownloadCopies {
  private readonly roots: readonly string[];

  /** Clients may have files below the home of the hub and in the folder for temporary files. */
  constructor(private readonly home: string) {
    this.roots = [home, tmpdir()];
  }

  /** What is wrong with a folder that a client chose; `undefined` when it is allowed. */
  problem(folder: string): string | undefined {
    if (isAbsolute(folder) && this.roots.some((root) => isBelow(resolve(folder), root))) return undefined;
    return `downloadPath is ${JSON.stringify(folder.slice(0, 200))}; the hub writes downloads only below ${this.roots.join(" and ")}. Choose a folder there`;
  }

  /**
   * Copies a file that the browser has just downloaded. Never replaces a file, and never follows a link out of the
   * allowed folders. Returns the path of the copy.
   */
  async copy(from: string, folder: string, name: string, since: number): Promise<string> {
    await this.assertDownloaded(from, since);
    const problem = this.problem(folder);
    if (problem) throw new Error(problem);
    await this.assertInside(await existing(folder));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await this.assertInside(folder);
    for (let number = 0; number < MAX_NAMES; number++) {
      const path = join(folder, numbered(name, number));
      try {
        await copyFile(from, path, constants.COPYFILE_EXCL);
        return path;
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
      }
    }
    throw new Error(`${folder} has ${MAX_NAMES} files called ${name}`);
  }

  /** The browser names the file. Only a regular file that was written since the download began can be it. */
  private async assertDownloaded(from: string, since: number): Promise<void> {
    const found = await lstat(from);
    if (!found.isFile() || found.ctimeMs < since || isBelow(await realpath(from), await realpath(this.home)))
      throw new Error(`${from} is not the file of this download`);
  }

  private async assertInside(folder: string): Promise<void> {
    const real = await realpath(folder);
    for (const root of this.roots) if (isBelow(real, await realpath(root))) return;
    throw new Error(`${folder} leads out of ${this.roots.join(" and ")}`);
  }
}

/** The nearest folder that exists: the one itself, or one above it. */
async function existing(folder: string): Promise<string> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    try {
      await lstat(at);
      return at;
    } catch {
      if (dirname(at) === at) return at;
    }
  }
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

function numbered(name: string, number: number): string {
  const { name: stem, ext } = parse(name);
  return number === 0 ? name : `${stem} (${number})${ext}`;
}
