/** Session folders on disk: agents and hubs write them, debuggers follow them. */

export { imageInfo } from "./images/image-info.js";
export { AppendFile, appendLine } from "./lines/append-file.js";
export { BlobStore } from "./lines/blobs.js";
export { type Following, type FollowOptions, followLines, watchFile } from "./lines/follow.js";
export { type Appended, LineFile } from "./lines/line-file.js";
export { type Line, LineSplitter } from "./lines/line-splitter.js";
export { withLock } from "./lines/lock.js";
export { lastLines, MAX_LAST_BYTES, readLines, readLinesBackward } from "./lines/read-lines.js";
export { readRegular, readRegularBytes } from "./lines/regular-file.js";
export { replaceFile, replaceLink } from "./lines/replace-file.js";
export {
  PictureFolder,
  type PictureTime,
  pictureTimes,
  readPicture,
} from "./pictures/picture-folder.js";
export { ReplayFolder, type ReplayTime, readReplay, replayTimes } from "./pictures/replay-folder.js";
export { AgentFolder, type AgentFolderOptions } from "./sessions/agent-folder.js";
export { appendCommand, QUIET_FILE } from "./sessions/commands.js";
export { readCurrent } from "./sessions/current.js";
export { debuggersOf, forgetDeadDebuggers, joinAsDebugger } from "./sessions/debuggers.js";
export { isCodi } from "./sessions/dialect.js";
export { drainLaterCommands, type Later, readLater, writeLater } from "./sessions/later.js";
export { isActive, isAlive, processStart } from "./sessions/liveness.js";
export { type DebugPaths, debugPaths, rootOf } from "./sessions/paths.js";
export { wasPausedLast } from "./sessions/paused.js";
export { endProcessTree, TREE_MARK } from "./sessions/process-tree.js";
export { KEPT_SESSIONS, pruneSessions } from "./sessions/prune.js";
export { folderName, SessionFolder, type SessionFolderOptions } from "./sessions/session-folder.js";
export {
  activeSessions,
  folderNames,
  readIndex,
  readSession,
  readSessions,
  refreshIndex,
} from "./sessions/sessions.js";
export { FileTimeline } from "./timeline/file-timeline.js";
