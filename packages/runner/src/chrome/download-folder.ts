import { mkdir, readdir, rename } from "node:fs/promises";
import { basename, extname, join } from "node:path";

/** Where a launched browser puts what it downloads: a folder per session, which only its owner can read. */
export class DownloadFolder {
  readonly path: string;

  constructor(home: string, sessionId: string) {
    this.path = join(home, "downloads", safeName(sessionId));
  }

  async create(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }

  /** Gives a file, which Chrome stored under an id, its own name; with a number when that is taken. */
  async keep(guid: string, suggested: string): Promise<string> {
    const name = safeName(suggested);
    const taken = new Set(await readdir(this.path));
    const end = extname(name);
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${basename(name, end)}-${number}${end}`;
    const to = join(this.path, free);
    await rename(join(this.path, basename(guid)), to);
    return to;
  }
}

/** A page chooses the name: it must be one plain file name. */
function safeName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._ -]+/gu, "_").replace(/^[. ]+/, "");
  return plain.slice(-100) || "download";
}
