import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFile, replaceFile } from "./replace-file.js";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const MAX_TOKEN_FILE_BYTES = 1_000;

/**
 * The token of a home: 32 random bytes in base64url. It is created at first use, in a file that only its owner can
 * read. A file with any other content is replaced.
 */
export function loadToken(home: string): { token: string; tokenFile: string } {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const tokenFile = join(home, "token");
  const existing = readToken(tokenFile);
  if (existing) {
    chmodSync(tokenFile, 0o600);
    return { token: existing, tokenFile };
  }
  const token = randomBytes(32).toString("base64url");
  if (createFile(tokenFile, `${token}\n`)) return { token, tokenFile };
  // Another process created it at the same moment, or the file holds something else.
  const other = readToken(tokenFile);
  if (other) return { token: other, tokenFile };
  replaceFile(tokenFile, `${token}\n`);
  return { token, tokenFile };
}

/** The token in a file; `undefined` if the file does not exist, is not a regular file or holds something else. */
export function readToken(tokenFile: string): string | undefined {
  let file: number | undefined;
  try {
    // Not blocking: a named pipe must not stop the reader.
    file = openSync(tokenFile, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_TOKEN_FILE_BYTES) return undefined;
    const text = readFileSync(file, "utf8").trim();
    return TOKEN.test(text) ? text : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The token of a home, if one was created. */
export function tokenOf(home: string): string | undefined {
  return readToken(join(home, "token"));
}
