import { randomBytes } from "node:crypto";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

/** Replaces a file atomically: a reader sees the old or the new content, never a part. */
export function replaceFile(path: string, text: string | Uint8Array): void {
  replaceWith(path, (next) => writeFileSync(next, text, { mode: 0o600, flag: "wx" }));
}

/** Replaces a symbolic link atomically. */
export function replaceLink(path: string, target: string): void {
  replaceWith(path, (next) => symlinkSync(target, next));
}

function replaceWith(path: string, make: (next: string) => void): void {
  // Two processes that replace the same file need different temporary names.
  const next = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.new`;
  try {
    make(next);
    renameSync(next, path);
  } catch (thrown) {
    rmSync(next, { force: true });
    throw thrown;
  }
}
