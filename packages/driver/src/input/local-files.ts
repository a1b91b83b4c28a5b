import { open } from "node:fs/promises";
import { basename, extname, isAbsolute } from "node:path";
import { BridgeError, type CommandOf } from "@debug-bridge/protocol";

const MAX_BYTES = 20 * 1_024 * 1_024;

/** Types of files that apps often ask for; a browser takes them from the system. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webp": "image/webp",
  ".zip": "application/zip",
};

type SetFiles = CommandOf<"set_files">;
type File = SetFiles["files"][number];

/** Replaces paths by the contents of the files, if the person who started the hub or the browser allows that. */
export async function withContents(command: SetFiles, allowFiles: boolean): Promise<SetFiles> {
  if (!command.files.some((file) => "path" in file)) return command;
  if (!allowFiles)
    throw new BridgeError(
      "not_supported",
      "files by path are off, since every file of this machine could be sent to a page; send name and data in base64, or ask the person who starts the hub or the browser to use --allow-files",
      { field: "files" },
    );
  const files: File[] = [];
  for (const file of command.files) files.push("path" in file ? await read(file.path) : file);
  return { ...command, files };
}

async function read(path: string): Promise<File> {
  const refuse = (why: string): BridgeError =>
    new BridgeError("invalid_message", `cannot use the file "${path}": ${why}`, { field: "files" });
  if (!isAbsolute(path)) throw refuse("give its absolute path");
  const handle = await open(path, "r").catch((thrown: Error) => {
    throw refuse(thrown.message);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw refuse("it is not a regular file");
    if (stats.size > MAX_BYTES) throw refuse(`it has ${stats.size} bytes, more than ${MAX_BYTES}`);
    const data = (await handle.readFile()).toString("base64");
    return { name: basename(path), mimeType: MIME_TYPES[extname(path).toLowerCase()] ?? "", data };
  } finally {
    await handle.close();
  }
}
