import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";

/** A larger `session.json`, `index.json` or payload is not read. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface OpenOptions {
  /** Flags of `open`; reading when left out. */
  readonly flags?: number;
  /** Whether the file and its folder may be links: for paths that a person gave. */
  readonly followLinks?: boolean;
  /** Whether the folder may be a link: for folders that a person may have moved to another place. */
  readonly linkedFolder?: boolean;
}

/**
 * Opens a file that others can write. Throws for what is not a regular file: opening a pipe would block the process,
 * a device has no end, and a link may lead to a file that nobody meant.
 */
export function openRegular(
  path: string,
  { flags = constants.O_RDONLY, followLinks = false, linkedFolder = followLinks }: OpenOptions = {},
): number {
  // The folder was a folder when it was listed; any process that can write there may have replaced it since.
  if (!linkedFolder && lstatSync(dirname(path), { throwIfNoEntry: false })?.isSymbolicLink())
    throw new BridgeError("invalid_message", `${dirname(path)} is a link; remove it`);
  // Windows has neither flag; it has no such pipes in folders either.
  const guards = (constants.O_NONBLOCK ?? 0) | (followLinks ? 0 : (constants.O_NOFOLLOW ?? 0));
  const fd = openSync(path, flags | guards, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new BridgeError("invalid_message", `${path} is not a regular file; remove it`);
}

/** The text of a regular file. Throws when it cannot be read or is too large. */
export function readRegular(path: string, options: OpenOptions = {}): string {
  return readRegularBytes(path, options).toString("utf8");
}

/** The same for its bytes. */
export function readRegularBytes(path: string, options: OpenOptions = {}): Buffer {
  const fd = openRegular(path, options);
  try {
    const { size } = fstatSync(fd);
    if (size > MAX_FILE_BYTES)
      throw new BridgeError("too_large", `${path} has ${size} bytes; at most ${MAX_FILE_BYTES} are read`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
