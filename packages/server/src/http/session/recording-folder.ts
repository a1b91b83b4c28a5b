import { basename, join } from "node:path";
import { debugPaths } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";

/** The folder of a recording. Throws unless its id is a name in a folder: never a path. */
export function recordingFolder(home: string, id: string): string {
  if (basename(id) === id && !id.startsWith(".")) return join(debugPaths(home).sessions, id);
  throw new BridgeError(
    "session_not_found",
    `recording "${id}" does not exist; GET /v1/recordings lists them`,
  );
}
