import { randomBytes } from "node:crypto";
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Replaces a file as a whole, readable by its owner only: a reader sees the old content or the new, never a part. */
export function replaceFile(path: string, text: string): void {
  withNewFile(path, text, (next) => renameSync(next, path));
}

/** Creates a file in the same way. Returns false if it exists. */
export function createFile(path: string, text: string): boolean {
  try {
    withNewFile(path, text, (next) => linkSync(next, path));
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}

function withNewFile(path: string, text: string, use: (next: string) => void): void {
  const next = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.new`;
  try {
    writeFileSync(next, text, { mode: 0o600, flag: "wx" });
    use(next);
  } finally {
    rmSync(next, { force: true });
  }
}
