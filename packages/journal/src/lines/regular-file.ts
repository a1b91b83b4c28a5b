import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { BridgeError } from "@debug-bridge/protocol";

/** A larger `session.json`, `index.json` or payload is not read. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface OpenOptions {
  /** Flags of `open`; reading when left out. */
  readonly flags?: number;
  /** Whether the last part of the path may be a link. */
  readonly followLinks?: boolean;
}

/**
 * Opens a file that others can write. Throws for what is not a regular file: opening a pipe would block the process,
 * a device has no end, and a link may lead to a file that nobody meant.
 */
export function openRegular(
  path: string,
  { flags = constants.O_RDONLY, followLinks = false }: OpenOptions = {},
): number {
  // Windows has neither flag; it has no such pipes in folders either.
  const guards = (constants.O_NONBLOCK ?? 0) | (followLinks ? 0 : (constants.O_NOFOLLOW ?? 0));
  const fd = openSync(path, flags | guards, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new BridgeError("invalid_message", `${path} is not a regular file; remove it`);
}

/** The text of a regular file. Throws when it cannot be read or is too large. */
export function readRegular(path: string): string {
  const fd = openRegular(path);
  try {
    const { size } = fstatSync(fd);
    if (size > MAX_FILE_BYTES)
      throw new BridgeError("too_large", `${path} has ${size} bytes; at most ${MAX_FILE_BYTES} are read`);
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}
