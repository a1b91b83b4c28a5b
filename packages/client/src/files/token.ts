import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { loadSecret, readSecret, replaceSecret, type SecretKind } from "./secret-file.js";

/** 32 random bytes in base64url. */
const TOKEN: SecretKind = {
  name: "token",
  pattern: /^[A-Za-z0-9_-]{43}$/,
  create: () => randomBytes(32).toString("base64url"),
};

/** The token of a home, created at first use in a file that only its owner can read. */
export function loadToken(home: string): { token: string; tokenFile: string } {
  const tokenFile = join(home, TOKEN.name);
  return { token: loadSecret(tokenFile, TOKEN), tokenFile };
}

/** Replaces the token of a home. Hubs that run on it stop accepting the old one. */
export function replaceToken(home: string): string {
  return replaceSecret(join(home, TOKEN.name), TOKEN);
}

/** The token in a file; `undefined` if the file does not exist, is not a regular file or holds something else. */
export function readToken(tokenFile: string): string | undefined {
  return readSecret(tokenFile, TOKEN);
}

/** The token of a home, if one was created. */
export function tokenOf(home: string): string | undefined {
  return readToken(join(home, TOKEN.name));
}
