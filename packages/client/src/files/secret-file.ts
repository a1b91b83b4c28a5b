import { chmodSync, closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { createFile, replaceFile } from "./replace-file.js";

const MAX_SECRET_BYTES = 1_000;

/** A secret of the home: its file, its form and how a new one is made. */
export interface SecretKind {
  readonly name: string;
  readonly pattern: RegExp;
  create(): string;
}

/**
 * The secret in a file. It is created at first use, readable by its owner only. A file with any other content is
 * replaced.
 */
export function loadSecret(file: string, kind: SecretKind): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const existing = readSecret(file, kind);
  if (existing) {
    makePrivate(file);
    return existing;
  }
  const secret = kind.create();
  if (createFile(file, `${secret}\n`)) return secret;
  // Another process created it at the same moment, or the file holds something else.
  const other = readSecret(file, kind);
  if (other) return other;
  replaceFile(file, `${secret}\n`);
  return secret;
}

/** A secret that was mounted into a container belongs to somebody else, who decides who can read it. */
function makePrivate(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (thrown) {
    if (!["EPERM", "EROFS"].includes((thrown as NodeJS.ErrnoException).code ?? "")) throw thrown;
  }
}

/** Writes a new secret over the old one. */
export function replaceSecret(file: string, kind: SecretKind): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const secret = kind.create();
  replaceFile(file, `${secret}\n`);
  return secret;
}

/** The secret in a file; `undefined` if the file does not exist, is not a regular file or holds something else. */
export function readSecret(path: string, { pattern }: SecretKind): string | undefined {
  let file: number | undefined;
  try {
    // Not blocking: a named pipe must not stop the reader.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_SECRET_BYTES) return undefined;
    const text = readFileSync(file, "utf8").trim();
    return pattern.test(text) ? text : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
