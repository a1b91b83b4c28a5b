/** Session folders on disk: written by agents and hubs, followed by debuggers. */
export { AgentFolder, type AgentFolderOptions } from "./agent-folder.js";
export { AppendFile, appendLine } from "./append-file.js";
export { BlobStore } from "./blobs.js";
export { readCurrent } from "./current.js";
export { type Following, type FollowOptions, followLines, watchFile } from "./follow.js";
export type { Line } from "./line-splitter.js";
export { isActive, isAlive } from "./liveness.js";
export { type DebugPaths, debugPaths, rootOf } from "./paths.js";
export { KEPT_SESSIONS, pruneSessions } from "./prune.js";
export { lastLines, readLines } from "./read-lines.js";
export { replaceFile } from "./replace-file.js";
export { folderName, SessionFolder, type SessionFolderOptions } from "./session-folder.js";
export {
  activeSessions,
  folderNames,
  readIndex,
  readSession,
  readSessions,
  refreshIndex,
} from "./sessions.js";
