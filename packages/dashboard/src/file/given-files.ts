import type { GivenFile } from "./read-recording.js";

/** Files of a folder that are looked at. */
const MAX_FILES = 5_000;
const MAX_DEPTH = 3;

/** What a file dialog returned. */
export function chosenFiles(list: FileList | null): GivenFile[] {
  return [...(list ?? [])]
    .slice(0, MAX_FILES)
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** What was dropped on the page, folders with what is in them. To be called while the event is handled. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<GivenFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // What no file system holds, such as a file from another page, has no entry.
  if (entries.length === 0) return chosenFiles(files);
  const found: GivenFile[] = [];
  for (const entry of entries) await collect(entry, found, 0);
  return found;
}

async function collect(entry: FileSystemEntry, found: GivenFile[], depth: number): Promise<void> {
  if (found.length >= MAX_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    return;
  }
  if (depth >= MAX_DEPTH) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const each of some) await collect(each, found, depth + 1);
  }
}
