import { readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { readRegular } from "../lines/regular-file.js";
import { replaceFile, replaceLink } from "../lines/replace-file.js";
import { debugPaths } from "./paths.js";

/**
 * Makes `current` point to a session: a link, or a file with the id if links are not supported. If neither works, the
 * session continues without it and can still be addressed by its id.
 */
export function setCurrent(root: string, id: string): void {
  const { current } = debugPaths(root);
  try {
    replaceLink(current, join("sessions", id));
  } catch {
    try {
      replaceFile(current, `${id}\n`);
    } catch {}
  }
}

/** Id of the session that `current` points to. */
export function readCurrent(root: string): string | undefined {
  const { current } = debugPaths(root);
  try {
    return basename(readlinkSync(current));
  } catch {
    try {
      return readRegular(current, { linkedFolder: true }).trim() || undefined;
    } catch {
      return undefined;
    }
  }
}
