import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Replaces a file as a whole, readable by its owner only: a reader sees the old content or the new, never a part. */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.new`;
  try {
    writeFileSync(next, text, { mode: 0o600, flag: "wx" });
    renameSync(next, path);
  } catch (thrown) {
    rmSync(next, { force: true });
    throw thrown;
  }
}
