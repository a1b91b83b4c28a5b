/** Session folders on disk. */
export { folderName, SessionFolder, type SessionFolderOptions } from "./session-folder.js";
