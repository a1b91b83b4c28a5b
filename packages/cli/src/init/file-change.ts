import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";

/** A file as it is and as it should be. A file without text is none. */
export interface FileChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Writes a change as a whole. Refuses when the file has changed since it was shown. Links stay links. */
export function writeChange({ file, before, after }: FileChange): void {
  if (readText(file) !== before)
    throw new BridgeError("conflict", `${file} was changed meanwhile and is left as it is; run this again`);
  if (after === "") {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  const exists = existsSync(file);
  const target = exists ? realpathSync(file) : file;
  const mode = exists ? statSync(target).mode & 0o777 : 0o600;
  replaceFile(target, after);
  chmodSync(target, mode);
}

/** The lines that a change removes and adds. */
export function changedLines({ before, after }: FileChange): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  const lines = (mark: string, from: readonly string[]): string[] =>
    from
      .slice(start, from.length - end)
      .filter((line) => line.trim() !== "")
      .map((line) => `${mark} ${line.trimEnd()}`);
  return [...lines("-", old), ...lines("+", now)];
}
